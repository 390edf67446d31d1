/**
 * Writes exports to buckets of customers, in any store that speaks S3. A request never reaches a private network. An
 * object appears completely or not at all, because its size and hash are sent before its content.
 */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { MAX_OBJECT_BYTES } from '@parley/contract/exports/destinations.ts';
import { Problem } from '@parley/contract/problem.ts';
import { escapedPath, signedHeaders } from '../kernel/files/s3_signature.ts';
import { createOutbound, type GuardedResponse, OutboundError } from '../kernel/http/outbound.ts';
import type { Config } from '../kernel/settings/config.ts';

export type S3Config = Pick<Config, 'OUTBOUND_ALLOW_CIDRS' | 'OUTBOUND_PORTS'>;

export interface S3Access {
  /** Null for Amazon S3. */
  endpoint: string | null;
  region: string;
  bucket: string;
  access_key_id: string;
  /** The secret access key. */
  secret: string;
}

export interface S3File {
  /** The path of the object in its bucket. */
  key: string;
  bytes: number;
  /** Called twice: the hash of the content is part of the signature. */
  open(): Promise<Readable>;
}

const TEST_MS = 30_000;
const LONGEST_MS = 4 * 3_600_000;

/** Amazon has a host name for each bucket, whose certificate matches no name with dots. Other stores use paths. */
function bucketUrl({ endpoint, region, bucket }: S3Access): URL {
  if (endpoint) return new URL(`${endpoint.replace(/\/+$/, '')}/${bucket}`);
  const amazon = `s3.${region}.amazonaws.com`;
  return new URL(bucket.includes('.') ? `https://${amazon}/${bucket}` : `https://${bucket}.${amazon}`);
}

/** Throws EXPORT_ENDPOINT_NOT_ALLOWED if the store is in a private network. A name that does not resolve is allowed. */
export async function requireAllowedStore(config: S3Config, access: S3Access): Promise<void> {
  await createOutbound(config)
    .check(bucketUrl(access).href)
    .catch((error: unknown) => {
      if (!(error instanceof OutboundError) || error.reason !== 'name') throw toProblem(error);
    });
}

const trimFolder = (folder: string): string => folder.replace(/^\/+|\/+$/g, '');
/** A folder is the first part of the path of an object. */
export const objectKey = (folder: string, name: string): string =>
  trimFolder(folder) === '' ? name : `${trimFolder(folder)}/${name}`;

/** Writes and deletes a small object. A key without the permission to delete is enough, so the object may remain. */
export async function testBucket(config: S3Config, access: S3Access, folder: string): Promise<void> {
  const signal = AbortSignal.timeout(TEST_MS);
  const key = objectKey(folder, 'parley-test.txt');
  const open = async () => Readable.from([Buffer.from('test\n')]);
  await putObject(config, access, { key, bytes: 5, open }, signal);
  await send(config, access, { method: 'DELETE', key, sha256: EMPTY_SHA256 }, signal);
}

/** Replaces an older object with the same key. Throws a Problem that explains why the bucket cannot be used. */
export async function putObject(config: S3Config, access: S3Access, file: S3File, signal: AbortSignal): Promise<void> {
  if (file.bytes > MAX_OBJECT_BYTES) throw new Problem('EXPORT_BUCKET_REFUSED', { message: TOO_LARGE });
  const sha256 = await hashContent(await file.open());
  const body = await file.open();
  try {
    const put = { method: 'PUT' as const, key: file.key, sha256, body, bytes: file.bytes };
    const response = await send(config, access, put, signal);
    if (response.status !== 200 && response.status !== 201) throw refusal(response);
  } finally {
    body.destroy();
  }
}

const TOO_LARGE = 'The file has more than 5 GB, which S3 does not accept in one request. Export fewer rows.';

async function hashContent(stream: Readable): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of stream) hash.update(part as Buffer);
  return hash.digest('hex');
}
const EMPTY_SHA256 = createHash('sha256').digest('hex');

interface Call {
  method: 'PUT' | 'DELETE';
  key: string;
  sha256: string;
  body?: Readable;
  bytes?: number;
}

async function send(
  config: S3Config,
  access: S3Access,
  { method, key, sha256, body, bytes }: Call,
  signal: AbortSignal,
): Promise<GuardedResponse> {
  const url = bucketUrl(access);
  const path = escapedPath(`${url.pathname.replace(/\/$/, '')}/${key}`);
  const { access_key_id, secret, region } = access;
  const { host, ...headers } = signedHeaders(
    { method, host: url.host, path, headers: bytes === undefined ? {} : { 'content-length': String(bytes) } },
    sha256,
    { access_key_id, secret_access_key: secret, region },
    new Date(),
  );
  return createOutbound(config)
    .fetch(`${url.origin}${path}`, {
      ...{ method, headers: { ...headers, host: host! }, signal, timeout_ms: LONGEST_MS },
      ...(body ? { body } : {}),
    })
    .catch((error: unknown) => {
      throw toProblem(error);
    });
}

/** The error codes of S3: https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
function refusal({ status, body }: GuardedResponse): Problem {
  const text = body.toString('utf8').slice(0, 1_000);
  const internal = `HTTP ${status}: ${text}`;
  const code = /<Code>(\w+)<\/Code>/.exec(text)?.[1];
  if (code === 'RequestTimeTooSkewed') return new Problem('EXPORT_ACCESS_KEY_REFUSED', { message: SKEWED, internal });
  if (status >= 500 || status === 429) return new Problem('EXPORT_ENDPOINT_UNREACHABLE', { message: BUSY, internal });
  if (status === 401 || status === 403) return new Problem('EXPORT_ACCESS_KEY_REFUSED', { internal });
  return new Problem('EXPORT_BUCKET_REFUSED', { internal });
}
const SKEWED = 'The clock of the store differs from the clock of this system by more than 15 minutes';
const BUSY = 'The store cannot accept files right now';

function toProblem(error: unknown): unknown {
  if (!(error instanceof OutboundError)) return error;
  const internal = `${error.name}: ${error.message}`;
  const isRefused = ['address', 'port', 'scheme', 'credentials'].includes(error.reason);
  if (!isRefused) return new Problem('EXPORT_ENDPOINT_UNREACHABLE', { internal });
  const message = error.reason === 'port' ? { message: error.message } : {};
  return new Problem('EXPORT_ENDPOINT_NOT_ALLOWED', { internal, ...message });
}
