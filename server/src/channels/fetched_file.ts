/** Files of people, fetched from where a carrier keeps them: only what is near the carrier, and never more than was agreed. */
import { type Readable, Transform } from 'node:stream';
import { CarrierRefusal } from './channel.ts';
import { openHttp } from './http_call.ts';

const HERE = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Encrypted; in clear only where the carrier's whole interface is, as one on this machine. */
export function isNear(place: string, base_url: string): boolean {
  if (!URL.canParse(place)) return false;
  const [file, own] = [new URL(place), new URL(base_url)];
  if (file.protocol === 'https:') return true;
  return (
    file.origin === own.origin ||
    (file.protocol === 'http:' &&
      own.protocol === 'http:' &&
      file.port === own.port &&
      HERE.has(file.hostname) &&
      HERE.has(own.hostname))
  );
}

export interface FetchedFile {
  stream: Readable;
  content_type: string;
  bytes: number | null;
}

export async function fetchCapped(
  url: string,
  options: { timeout_ms: number; max_bytes: number; headers?: Readonly<Record<string, string>> },
): Promise<FetchedFile> {
  const { timeout_ms, max_bytes } = options;
  const { status, headers, stream } = await openHttp(
    { method: 'GET', url, headers: options.headers ?? {} },
    { timeout_ms },
  );
  const length = Number(headers['content-length'] ?? Number.NaN);
  if (status === 200 && !(length > max_bytes)) {
    return {
      stream: capped(stream, max_bytes),
      content_type: headers['content-type'] ?? 'application/octet-stream',
      bytes: Number.isSafeInteger(length) ? length : null,
    };
  }
  // Read by nobody, it may still break.
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
