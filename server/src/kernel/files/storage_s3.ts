/**
 * Stores files in an object store that speaks S3, with the same guarantees as on disk. An object appears completely or
 * not at all, because its size and hash are known before the first byte is sent. Data waits in a temporary file, not in
 * memory.
 */
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { systemClock } from '../clock.ts';
import { proxyAgents } from '../http/forward_proxy.ts';
import { fileLinks, requireStorageKey } from './file_links.ts';
import type { CredentialSource } from './s3_credentials.ts';
import { escapedPath, sha256Hex, signedHeaders } from './s3_signature.ts';
import { type Storage, writeTemporary } from './storage.ts';

interface S3Options {
  credentials: CredentialSource;
  region: string;
  bucket: string;
  /** Defaults to the Amazon S3 endpoint in the region. */
  endpoint: string | null;
  /** The folder for temporary files during uploads. */
  folder: string;
}

const ATTEMPTS = 3;
const SILENT_MS = 30_000;
const EMPTY_SHA256 = sha256Hex('');

interface Call {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  key: string;
  headers?: Record<string, string>;
  body?: { path: string; bytes: number; sha256: string };
}

export function s3Storage(options: S3Options, secrets: readonly string[], clock = systemClock): Storage {
  const call = createCaller(options);
  return {
    ...fileLinks(secrets, clock),

    async put(key, source, { max_bytes }) {
      const body = await writeTemporary(options.folder, source, max_bytes);
      try {
        (await call({ method: 'PUT', key, body }, [200, 201])).resume();
        return { bytes: body.bytes, sha256: body.sha256 };
      } finally {
        await rm(body.path, { force: true });
      }
    },

    async open(key, range) {
      const headers = range && { range: `bytes=${range.start}-${range.end}` };
      const response = await call({ method: 'GET', key, ...(headers ? { headers } : {}) }, [200, 206, 404]);
      if (response.statusCode === 404) {
        response.resume();
        return null;
      }
      const whole = /\/(\d+)$/.exec(response.headers['content-range'] ?? '')?.[1] ?? response.headers['content-length'];
      return { bytes: Number(whole), stream: response as Readable };
    },

    async exists(key) {
      const response = await call({ method: 'HEAD', key }, [200, 404]);
      response.resume();
      return response.statusCode === 200;
    },

    async remove(key) {
      (await call({ method: 'DELETE', key }, [200, 204, 404])).resume();
    },
  };
}

/** Sends one signed request. Resolves with any response and rejects if there is no response. */
function createSender(options: S3Options): (call: Call) => Promise<IncomingMessage> {
  // For other stores, the bucket is part of the path, because they rarely have a host name for each bucket.
  const origin = new URL(options.endpoint ?? `https://${options.bucket}.s3.${options.region}.amazonaws.com`);
  const folder = options.endpoint ? `/${options.bucket}/` : '/';
  const { hostname, port, host, protocol } = origin;
  const open = protocol === 'https:' ? requestHttps : requestHttp;
  const { plain, tls } = proxyAgents({ keepAlive: true, scheduling: 'lifo', timeout: 5_000 });
  const agent = protocol === 'https:' ? tls : plain;
  return async ({ method, key, headers, body }) => {
    const keys = { ...(await options.credentials.get()), region: options.region };
    const path = escapedPath(`${origin.pathname.replace(/\/$/, '')}${folder}${key}`);
    const signed = signedHeaders(
      { method, host, path, headers: { ...headers, ...(body ? { 'content-length': String(body.bytes) } : {}) } },
      body?.sha256 ?? EMPTY_SHA256,
      keys,
      new Date(),
    );
    const request = open({ agent, method, path, headers: signed, hostname, port, timeout: SILENT_MS });
    request.on('timeout', () => request.destroy(new Error('the object store does not respond')));
    const response = new Promise<IncomingMessage>((resolve, reject) => {
      request.on('response', resolve);
      request.on('error', reject);
    });
    // A store may respond before it has received the whole body. The rest then cannot be sent, and the response states
    // the reason.
    if (body) pipeline(createReadStream(body.path), request).catch((error: Error) => request.destroy(error));
    else request.end();
    return response;
  };
}

/** Retries after network errors and server failures. Any other response is final. */
function createCaller(options: S3Options): (call: Call, accepted: readonly number[]) => Promise<IncomingMessage> {
  const send = createSender(options);
  return async (call, accepted) => {
    requireStorageKey(call.key);
    for (let attempt = 1; ; attempt++) {
      const response = await send(call).catch((error: Error) => error);
      if (!(response instanceof Error) && accepted.includes(response.statusCode!)) return response;
      const status = response instanceof Error ? null : response.statusCode!;
      const text = response instanceof Error ? response.message : await readStart(response);
      if (attempt === 1 && hasExpired(status, text) && options.credentials.renew()) continue;
      if (attempt >= ATTEMPTS || (status !== null && status < 500 && status !== 429))
        throw new Error(`object store: ${call.method} failed with ${status ?? 'no response'}: ${text}`);
      await wait(200 * attempt);
    }
  };
}

// A response to HEAD has no body.
const hasExpired = (status: number | null, text: string): boolean =>
  (status === 400 || status === 403) && (text === '' || /ExpiredToken|InvalidAccessKeyId|InvalidToken/.test(text));

async function readStart(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response) {
    text += String(chunk);
    if (text.length > 500) break;
  }
  return text.slice(0, 500);
}
