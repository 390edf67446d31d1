/**
 * The signatures of a delivery: the headers of Standard Webhooks, and one header with the HMAC-SHA256 of the body. For
 * the grace period after a rotation, the Standard Webhooks header contains a signature for each secret.
 */
import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';

export const newSecret = (): string => PREFIX + randomBytes(32).toString('base64');

export const maskSecret = (secret: string): string => `…${secret.slice(-4)}`;

interface Signing {
  id: string;
  /** In seconds. */
  timestamp: number;
  body: string;
  /** The current secret first. */
  secrets: readonly string[];
  header: string;
  encoding: 'base64' | 'hex';
}

export function signatureHeaders({ id, timestamp, body, secrets, header, encoding }: Signing): Record<string, string> {
  const signed = `${id}.${timestamp}.${body}`;
  return {
    [header]: createHmac('sha256', secrets[0]!).update(body).digest(encoding),
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets
      .map((secret) => `v1,${createHmac('sha256', secretBytes(secret)).update(signed).digest('base64')}`)
      .join(' '),
  };
}

/** Secrets with the prefix are Base64, as Standard Webhooks defines. Others are used as they are. */
function secretBytes(secret: string): Buffer {
  const text = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : null;
  return text !== null && /^[A-Za-z0-9+/]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : Buffer.from(secret);
}
