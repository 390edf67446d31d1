/**
 * Fetches the files of people from where a carrier keeps them: only from the carrier's own interface or from the public
 * internet, and never more than the agreed size. An address from a message never leads into a private network.
 */
import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { type Readable, Transform } from 'node:stream';
import { isPublic } from '../kernel/http/public_address.ts';
import { CarrierRefusal } from './channel.ts';
import { openHttp } from './http_call.ts';

const HERE = new Set(['localhost', '127.0.0.1', '[::1]']);

/** HTTPS, or plain HTTP where the carrier's whole interface uses it, such as one on this machine. */
export const isNear = (place: string, base_url: string): boolean =>
  URL.canParse(place) && (new URL(place).protocol === 'https:' || isOwn(place, base_url));

/** Part of the interface that the operator has configured, which is trusted wherever it is. */
export function isOwn(place: string, base_url: string): boolean {
  const [file, own] = [new URL(place), new URL(base_url)];
  return (
    file.origin === own.origin ||
    (file.protocol === 'http:' &&
      own.protocol === 'http:' &&
      file.port === own.port &&
      HERE.has(file.hostname) &&
      HERE.has(own.hostname))
  );
}

const PRIVATE = 'The address of the file leads to a private network';
// One private address among public ones is an attack or a mistake: both are refused. The checked address is the one
// that is connected to.
const publicOnly: LookupFunction = (host, options, done) =>
  lookup(host, { all: true, verbatim: true }, (error, found) => {
    if (error) return done(error, '', 0);
    if (!found.every(({ address }) => isPublic(address))) return done(new Error(PRIVATE), '', 0);
    if (options.all) done(null, found);
    else done(null, found[0]!.address, found[0]!.family);
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
  const own = isOwn(url, base_url);
  if (!own && isIP(host) && !isPublic(host)) throw new CarrierRefusal('', PRIVATE);
  const { status, headers, stream } = await openHttp(
    { method: 'GET', url, headers: options.headers ?? {} },
    { timeout_ms, ...(own ? {} : { lookup: publicOnly }) },
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
  // A stream that nobody reads can still fail.
  stream.once('error', () => {});
  stream.destroy();
  if (status === 200) throw new CarrierRefusal('', 'The file is too large');
  if (status === 404 || status === 410) throw new CarrierRefusal(String(status), 'The carrier has the file no more');
  throw new Error(`The carrier did not hand over the file (HTTP ${status})`);
}

function capped(source: Readable, most: number): Readable {
  let bytes = 0;
  const gate = new Transform({
    transform(piece: Buffer, _encoding, done) {
      bytes += piece.length;
      if (bytes > most) done(new Error('The file is too large'));
      else done(null, piece);
    },
  });
  source.once('error', (error) => gate.destroy(error));
  gate.once('close', () => source.destroy());
  return source.pipe(gate);
}
