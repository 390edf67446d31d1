/**
 * Fetches the files of inbound messages: only from the carrier's own interface or from the public internet, and never
 * more than the size limit. A URL from a message can never reach a private network.
 */
import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { type Readable, Transform } from 'node:stream';
import { isPublic } from '../kernel/http/public_address.ts';
import { CarrierRefusal } from './channel.ts';
import { openHttp } from './http_call.ts';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Allows HTTPS, and plain HTTP only if the carrier's configured interface uses it, such as a sandbox on this machine.
 */
export const isAllowedUrl = (url: string, base_url: string): boolean =>
  URL.canParse(url) && (new URL(url).protocol === 'https:' || isOwnUrl(url, base_url));

/**
 * True if the URL belongs to the carrier interface that the operator configured. That interface is trusted even on a
 * private network.
 */
export function isOwnUrl(url: string, base_url: string): boolean {
  const [file, base] = [new URL(url), new URL(base_url)];
  return (
    file.origin === base.origin ||
    (file.protocol === 'http:' &&
      base.protocol === 'http:' &&
      file.port === base.port &&
      LOOPBACK.has(file.hostname) &&
      LOOPBACK.has(base.hostname))
  );
}

const PRIVATE = 'The file’s URL points to a private network';
// A private address among public ones is an attack or a mistake, so the host is refused. The connection uses exactly
// the address that was checked.
const publicOnly: LookupFunction = (host, options, callback) =>
  lookup(host, { all: true, verbatim: true }, (error, addresses) => {
    if (error) return callback(error, '', 0);
    if (!addresses.every(({ address }) => isPublic(address))) return callback(new Error(PRIVATE), '', 0);
    if (options.all) callback(null, addresses);
    else callback(null, addresses[0]!.address, addresses[0]!.family);
  });

export interface FetchedFile {
  stream: Readable;
  content_type: string;
  bytes: number | null;
}

export async function fetchCapped(
  url: string,
  options: { base_url: string; timeout_ms: number; max_bytes: number; headers?: Readonly<Record<string, string>> },
): Promise<FetchedFile> {
  const { timeout_ms, max_bytes, base_url } = options;
  const host = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');
  const isTrusted = isOwnUrl(url, base_url);
  if (!isTrusted && isIP(host) && !isPublic(host)) throw new CarrierRefusal('', PRIVATE);
  const { status, headers, stream } = await openHttp(
    { method: 'GET', url, headers: options.headers ?? {} },
    { timeout_ms, ...(isTrusted ? {} : { lookup: publicOnly }) },
  ).catch((error: Error) => {
    throw error.message === PRIVATE ? new CarrierRefusal('', PRIVATE) : error;
  });
  const length = Number(headers['content-length'] ?? Number.NaN);
  if (status === 200 && !(length > max_bytes)) {
    return {
      stream: capped(stream, max_bytes),
      content_type: headers['content-type'] ?? 'application/octet-stream',
      bytes: Number.isSafeInteger(length) ? length : null,
    };
  }
  // An abandoned stream can still fail, and an unhandled error would end the process.
  stream.once('error', () => {});
  stream.destroy();
  if (status === 200) throw new CarrierRefusal('', 'The file is too large');
  if (status === 404 || status === 410) throw new CarrierRefusal(String(status), 'The carrier no longer has the file');
  throw new Error(`The carrier did not provide the file (HTTP ${status})`);
}

function capped(source: Readable, max_bytes: number): Readable {
  let bytes = 0;
  const gate = new Transform({
    transform(piece: Buffer, _encoding, callback) {
      bytes += piece.length;
      if (bytes > max_bytes) callback(new Error('The file is too large'));
      else callback(null, piece);
    },
  });
  source.once('error', (error) => gate.destroy(error));
  gate.once('close', () => source.destroy());
  return source.pipe(gate);
}
