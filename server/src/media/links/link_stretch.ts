/** A stretch of the file behind a customer's link, through the guarded connector: enough to learn what a carrier wants to be told of it. */
import type { OutgoingMedia } from '../../channels/channel.ts';
import { type GuardedFetch, OutboundError } from '../../kernel/http/outbound.ts';

const TIMEOUT_MS = 15_000;

/** Null when whoever has the file hands over no stretches of it, or does not say how large it is. What may be tried again has a code, as errors of files have. */
export function stretchOf(fetch: GuardedFetch, link: string): NonNullable<OutgoingMedia['stretch']> {
  return async (from, bytes) => {
    const range = `bytes=${from}-${from + bytes - 1}`;
    const answer = await fetch(link, {
      headers: { range },
      max_bytes: bytes,
      timeout_ms: TIMEOUT_MS,
      redirects: 3,
    }).catch((error: unknown) => {
      const passing = error instanceof OutboundError && (error.reason === 'network' || error.reason === 'timeout');
      throw passing ? Object.assign(new Error(error.message), { code: 'ELINK' }) : error;
    });
    const { status, headers, body } = answer;
    if (status === 429 || status >= 500)
      throw Object.assign(new Error(`The link to the file answers ${status}`), { code: 'ELINK' });
    if (status !== 206 && status !== 200) throw new Error(`The link to the file answers ${status}`);
    // Who does not know of stretches sends all of it, from the beginning.
    if (status === 200 && from > 0) return null;
    const said =
      status === 206 ? /\/(\d+)$/.exec(String(headers['content-range'] ?? ''))?.[1] : headers['content-length'];
    const total = Number(said ?? Number.NaN);
    return Number.isSafeInteger(total) ? { octets: body, total } : null;
  };
}
