/**
 * An S3-compatible object store for tests, in memory. Like a real one, it refuses a request whose signature, time, or
 * body does not match. The signature is computed here from the received request and not with the code under test.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export const STORE_KEYS = {
  access_key_id: 'TESTACCESSKEY',
  secret_access_key: 'TESTSECRETACCESSKEY',
  region: 'us-east-1',
} as const;
const SCOPE = String.raw`Credential=([^/]+)/(\d{8})/([^/]+)/s3/aws4_request`;
const AUTHORIZATION = new RegExp(`^AWS4-HMAC-SHA256 ${SCOPE}, ?SignedHeaders=([^,]+), ?Signature=(\\w+)$`);
const MAX_CLOCK_DIFFERENCE_MS = 15 * 60_000;

export interface ObjectStore {
  readonly url: string;
  /** The objects by path, which begins with the bucket. */
  readonly objects: ReadonlyMap<string, Buffer>;
  /** While set, requests with this method are refused. */
  denied: string | null;
  /** While set, the store responds with this status to every request. */
  failure: number | null;
  stop(): Promise<void>;
}

interface Refusal {
  status: number;
  code: string;
}

const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, data: string): Buffer => createHmac('sha256', key).update(data).digest();

/** Returns why the request is refused, or null. */
function refusal(request: IncomingMessage, body: Buffer): Refusal | null {
  const header = (name: string): string => String(request.headers[name] ?? '');
  const match = AUTHORIZATION.exec(header('authorization'));
  if (!match) return { status: 403, code: 'AccessDenied' };
  const [, access_key_id, day = '', region = '', signed = '', signature = ''] = match;
  const time = header('x-amz-date');
  const sentAt = Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  if (access_key_id !== STORE_KEYS.access_key_id) return { status: 403, code: 'InvalidAccessKeyId' };
  if (!(Math.abs(Date.now() - sentAt) < MAX_CLOCK_DIFFERENCE_MS) || !time.startsWith(day))
    return { status: 403, code: 'RequestTimeTooSkewed' };
  const names = signed.split(';');
  const required = ['host', ...Object.keys(request.headers).filter((name) => name.startsWith('x-amz-'))];
  if (region !== STORE_KEYS.region || required.some((name) => !names.includes(name)))
    return { status: 403, code: 'SignatureDoesNotMatch' };
  const digest = header('x-amz-content-sha256');
  if (digest !== 'UNSIGNED-PAYLOAD' && digest !== sha256(body))
    return { status: 400, code: 'XAmzContentSHA256Mismatch' };
  const [path = '', query = ''] = request.url!.split('?');
  const lines = [request.method!, path, query.split('&').sort().join('&')];
  const headers = names.map((name) => `${name}:${header(name).trim().replace(/ +/g, ' ')}\n`).join('');
  const canonical = [...lines, headers, signed, digest].join('\n');
  let key = hmac(`AWS4${STORE_KEYS.secret_access_key}`, day);
  for (const part of [region, 's3', 'aws4_request']) key = hmac(key, part);
  const text = ['AWS4-HMAC-SHA256', time, `${day}/${region}/s3/aws4_request`, sha256(canonical)].join('\n');
  const expected = hmac(key, text);
  const received = Buffer.from(signature, 'hex');
  const isSame = received.length === expected.length && timingSafeEqual(received, expected);
  return isSame ? null : { status: 403, code: 'SignatureDoesNotMatch' };
}

function sendObject(request: IncomingMessage, response: ServerResponse, object: Buffer | undefined): void {
  if (!object) return void response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>');
  const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '');
  const start = range ? Number(range[1]) : 0;
  const end = range?.[2] ? Math.min(Number(range[2]), object.length - 1) : object.length - 1;
  const part = object.subarray(start, end + 1);
  response.writeHead(range ? 206 : 200, {
    'content-length': part.length,
    etag: `"${createHash('md5').update(object).digest('hex')}"`,
    ...(range ? { 'content-range': `bytes ${start}-${end}/${object.length}` } : {}),
  });
  response.end(request.method === 'HEAD' ? undefined : part);
}

/** `sessionToken` returns the token that requests must have. The store then rejects any other token, as Amazon does. */
export async function startObjectStore(bucket: string, sessionToken?: () => string): Promise<ObjectStore> {
  const objects = new Map<string, Buffer>();
  const state: Pick<ObjectStore, 'denied' | 'failure'> = { denied: null, failure: null };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    const refused = refusal(request, body);
    if (refused) return void response.writeHead(refused.status).end(`<Error><Code>${refused.code}</Code></Error>`);
    if (sessionToken && request.headers['x-amz-security-token'] !== sessionToken())
      return void response.writeHead(400).end('<Error><Code>ExpiredToken</Code></Error>');
    if (state.failure) return void response.writeHead(state.failure).end('<Error><Code>SlowDown</Code></Error>');
    if (state.denied === request.method)
      return void response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>');
    const key = decodeURIComponent(request.url!.split('?')[0]!);
    if (!key.startsWith(`/${bucket}/`))
      return void response.writeHead(404).end('<Error><Code>NoSuchBucket</Code></Error>');
    if (request.method === 'PUT') objects.set(key, body);
    if (request.method === 'DELETE') objects.delete(key);
    if (request.method === 'PUT') response.writeHead(200).end();
    else if (request.method === 'DELETE') response.writeHead(204).end();
    else sendObject(request, response, objects.get(key));
  };
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(state, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    async stop() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  });
}
