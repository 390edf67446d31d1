/**
 * Decodes compressed JSON bodies. The limit for bodies applies to the decoded bytes, so a small body that expands to a
 * large one is refused while it is decoded. Files are refused if they are encoded.
 */
import type { Readable, Transform } from 'node:stream';
import { createGunzip, createInflate } from 'node:zlib';
import { Problem } from '@parley/contract/problem.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const DECODERS: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
]);
const NAMES = 'gzip, deflate';

export function decodeBodies(http: FastifyInstance): void {
  http.addHook('preParsing', async (request, reply, payload) => {
    const encoding = request.headers['content-encoding']?.trim().toLowerCase();
    if (!encoding || encoding === 'identity' || !hasBody(request)) return payload;
    const createDecoder = isJson(request) ? DECODERS.get(encoding) : undefined;
    if (!createDecoder) {
      reply.header('accept-encoding', NAMES);
      throw new Problem('CONTENT_ENCODING_NOT_SUPPORTED');
    }
    return decode(payload as Readable, createDecoder());
  });
}

const isJson = (request: FastifyRequest): boolean =>
  /^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '');

/** Some clients send the header with every request. */
const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** The framework compares `receivedEncodedLength` with the header Content-Length. */
function decode(payload: Readable, decoder: Transform): Readable {
  let receivedEncodedLength = 0;
  Object.defineProperty(decoder, 'receivedEncodedLength', { get: () => receivedEncodedLength });
  // The framework stops listening when the body is too large, and the decoder may fail after that.
  decoder.on('error', () => {});
  payload.on('data', (bytes: Buffer) => {
    receivedEncodedLength += bytes.length;
  });
  payload.once('error', (error) => decoder.destroy(error));
  payload.once('close', () => {
    if (!payload.readableEnded) decoder.destroy();
  });
  return payload.pipe(decoder);
}
