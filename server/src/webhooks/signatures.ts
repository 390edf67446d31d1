/**
 * The signatures of a delivery: the headers of Standard Webhooks, and one header with the HMAC-SHA256 of the body. For
 * the grace period after a rotation, the Standard Webhooks header contains a signature for each secret.
 */
import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';

export const newSecret = (): string => PREFIX + randomBytes(32).toString('base64');

export const maskSecret = (secret: string): string => `…${secret.slice(-4)}`;

/** The keys that are derived from a secret. */
export interface SigningKeys {
  /** The key for the header with the HMAC of the body. */
  plain: KeyObject;
  /** The key for the Standard Webhooks header. */
  standard: KeyObject;
}

export const signingKeys = (secret: string): SigningKeys => ({
  plain: createSecretKey(Buffer.from(secret)),
  standard: createSecretKey(secretBytes(secret)),
});

interface Signing {
  id: string;
  /** In seconds. */
  timestamp: number;
  body: string;
  /** The keys of the current secret first. */
  keys: readonly SigningKeys[];
  header: string;
  encoding: 'base64' | 'hex';
}

export function signatureHeaders({ id, timestamp, body, keys, header, encoding }: Signing): Record<string, string> {
  const signed = `${id}.${timestamp}.${body}`;
  return {
    [header]: createHmac('sha256', keys[0]!.plain).update(body).digest(encoding),
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': keys
      .map(({ standard }) => `v1,${createHmac('sha256', standard).update(signed).digest('base64')}`)
      .join(' '),
  };
}

/** Secrets with the prefix are Base64, as Standard Webhooks defines. Others are used unchanged. */
function secretBytes(secret: string): Buffer {
  const text = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : null;
  return text !== null && /^[A-Za-z0-9+/]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : Buffer.from(secret);
}
