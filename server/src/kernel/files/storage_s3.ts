/**
 * Files in an object store that speaks S3, with the same guarantees as on disk: an object appears completely or not at
 * all, because its size and hash are known before the first byte is sent. Data waits in a temporary file, not in
 * memory.
 */
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { demandKey, fileLinks } from './file_links.ts';
import { escapedPath, type S3Keys, sha256Hex, signedHeaders } from './s3_signature.ts';
import { type Storage, writeTemporary } from './storage.ts';

export interface S3Options extends S3Keys {
  bucket: string;
  /** Default: the endpoint of Amazon S3 in the region. */
  endpoint: string | null;
  /** The folder for temporary files of uploads. */
  folder: string;
}

const ATTEMPTS = 3;
const SILENT_MS = 30_000;
const NOTHING = sha256Hex('');

interface Call {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  key: string;
  headers?: Record<string, string>;
  body?: { path: string; bytes: number; sha256: string };
}

export function s3Storage(options: S3Options, secret: string): Storage {
  // Other stores are addressed by path: their hosts rarely have a name for each bucket.
  const origin = new URL(options.endpoint ?? `https://${options.bucket}.s3.${options.region}.amazonaws.com`);
  const folder = options.endpoint ? `/${options.bucket}/` : '/';
  const send = origin.protocol === 'https:' ? requestHttps : requestHttp;

  async function once({ method, key, headers, body }: Call): Promise<IncomingMessage> {
    const path = escapedPath(`${origin.pathname.replace(/\/$/, '')}${folder}${key}`);
    const signed = signedHeaders(
      {
        method,
        host: origin.host,
        path,
        headers: { ...headers, ...(body ? { 'content-length': String(body.bytes) } : {}) },
      },
      body?.sha256 ?? NOTHING,
      options,
      new Date(),
    );
    const { hostname, port } = origin;
    const request = send({ method, path, headers: signed, hostname, port, timeout: SILENT_MS });
    request.on('timeout', () => request.destroy(new Error('the object store is silent')));
    const answer = new Promise<IncomingMessage>((resolve, reject) => {
      request.on('response', resolve);
      request.on('error', reject);
    });
    // A store may respond before it has received the whole body, and the rest cannot be sent then. The response states
    // why.
    if (body) pipeline(createReadStream(body.path), request).catch((error: Error) => request.destroy(error));
    else request.end();
    return answer;
  }

  /** Retries network errors and failures of the store. Any other response is final. */
  async function call(wanted: Call, fine: readonly number[]): Promise<IncomingMessage> {
    demandKey(wanted.key);
    for (let attempt = 1; ; attempt++) {
      const answer = await once(wanted).catch((error: Error) => error);
      if (!(answer instanceof Error) && fine.includes(answer.statusCode!)) return answer;
      const status = answer instanceof Error ? null : answer.statusCode!;
      const words = answer instanceof Error ? answer.message : await start(answer);
      if (attempt >= ATTEMPTS || (status !== null && status < 500 && status !== 429))
        throw new Error(`object store: ${wanted.method} answered ${status ?? 'nothing'}: ${words}`);
      await wait(200 * attempt);
    }
  }

  return {
    ...fileLinks(secret),

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
      const answer = await call({ method: 'GET', key, ...(headers ? { headers } : {}) }, [200, 206, 404]);
      if (answer.statusCode === 404) {
        answer.resume();
        return null;
      }
      const whole = /\/(\d+)$/.exec(answer.headers['content-range'] ?? '')?.[1] ?? answer.headers['content-length'];
      return { bytes: Number(whole), stream: answer as Readable };
    },

    async exists(key) {
      const answer = await call({ method: 'HEAD', key }, [200, 404]);
      answer.resume();
      return answer.statusCode === 200;
    },

    async remove(key) {
      (await call({ method: 'DELETE', key }, [200, 204, 404])).resume();
    },
  };
}

async function start(answer: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of answer) {
    text += String(chunk);
    if (text.length > 500) break;
  }
  return text.slice(0, 500);
}
