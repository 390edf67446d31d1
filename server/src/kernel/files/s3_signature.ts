/**
 * AWS Signature Version 4 for S3, sent in the headers. It proves to an object store that the request comes from Parley
 * and was not changed.
 */
import { createHash, createHmac } from 'node:crypto';

export interface S3Keys {
  access_key_id: string;
  secret_access_key: string;
  /** The session token of temporary keys. */
  session_token?: string | null;
  region: string;
}

export const sha256Hex = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** Escapes every character in a path except letters, digits, `-._~`, and slashes. */
export const escapedPath = (path: string): string =>
  encodeURIComponent(path)
    .replace(/%2F/g, '/')
    .replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * Returns the headers to send: the given ones plus `host`, `x-amz-date`, `x-amz-content-sha256`, `authorization`, and
 * the session token. `path` must already be escaped.
 */
export function signedHeaders(
  request: { method: string; host: string; path: string; query?: string; headers?: Record<string, string> },
  payload_sha256: string,
  keys: S3Keys,
  now: Date,
): Record<string, string> {
  const date = now.toISOString().replace(/[-:]|\.\d{3}/g, '');
  const all: Record<string, string> = {
    ...request.headers,
    host: request.host,
    'x-amz-content-sha256': payload_sha256,
    'x-amz-date': date,
    ...(keys.session_token ? { 'x-amz-security-token': keys.session_token } : {}),
  };
  const names = Object.keys(all).sort();
  const signed = names.join(';');
  const canonical = [
    request.method,
    request.path,
    request.query ?? '',
    ...names.map((name) => `${name}:${all[name]!.trim()}`),
    '',
    signed,
    payload_sha256,
  ].join('\n');
  const scope = `${date.slice(0, 8)}/${keys.region}/s3/aws4_request`;
  const key = [keys.region, 's3', 'aws4_request'].reduce(
    (secret, part) => hmac(secret, part),
    hmac(`AWS4${keys.secret_access_key}`, date.slice(0, 8)),
  );
  const signature = hmac(key, ['AWS4-HMAC-SHA256', date, scope, sha256Hex(canonical)].join('\n')).toString('hex');
  const credential = `${keys.access_key_id}/${scope}`;
  return {
    ...all,
    authorization: `AWS4-HMAC-SHA256 Credential=${credential},SignedHeaders=${signed},Signature=${signature}`,
  };
}
