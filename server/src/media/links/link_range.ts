/**
 * Reads byte ranges of the file at a customer's link through the guarded connector. A carrier may require details, such
 * as the duration of a video, that are stored in a few bytes of the file.
 */
import type { OutgoingMedia } from '../../channels/outgoing_content.ts';
import { type GuardedFetch, OutboundError } from '../../kernel/http/outbound.ts';

const TIMEOUT_MS = 15_000;

/**
 * The reader returns null if the server does not support ranges or does not report the size. A temporary error has a
 * `code`, as file system errors do, and is retried.
 */
export function createRangeReader(fetch: GuardedFetch, link: string): NonNullable<OutgoingMedia['readRange']> {
  return async (from, bytes) => {
    const range = `bytes=${from}-${from + bytes - 1}`;
    const response = await fetch(link, {
      headers: { range },
      max_bytes: bytes,
      timeout_ms: TIMEOUT_MS,
      redirects: 3,
    }).catch((error: unknown) => {
      const isTemporary = error instanceof OutboundError && (error.reason === 'network' || error.reason === 'timeout');
      throw isTemporary ? Object.assign(new Error(error.message), { code: 'ELINK' }) : error;
    });
    const { status, headers, body } = response;
    if (status === 429 || status >= 500)
      throw Object.assign(new Error(`The link to the file returned status ${status}`), { code: 'ELINK' });
    if (status !== 206 && status !== 200) throw new Error(`The link to the file returned status ${status}`);
    // A server without range support sends the file from its beginning.
    if (status === 200 && from > 0) return null;
    const size =
      status === 206 ? /\/(\d+)$/.exec(String(headers['content-range'] ?? ''))?.[1] : headers['content-length'];
    const total = Number(size ?? Number.NaN);
    return Number.isSafeInteger(total) ? { octets: body, total } : null;
  };
}
