/** Verifies that a delivery was sent by Parley. Works in browsers, Node, and workers. */

/** The delivery was not sent by Parley, or it is too old. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
}

interface Delivery {
  /** The body as it arrived, before it is parsed. */
  body: string;
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The webhook's secret. */
  secret: string;
  /** The largest age in seconds. The default is 300. */
  tolerance?: number;
}

const PREFIX = 'whsec_';
const text = new TextEncoder();

/**
 * Verifies the headers of Standard Webhooks, and returns the parsed body. Throws WebhookError. During the rotation of a
 * secret, one matching signature is enough.
 */
export async function verifyWebhook<T = { type: string; timestamp: string; data: Record<string, unknown> }>(
  delivery: Delivery,
): Promise<T> {
  const { body, headers, secret, tolerance = 300 } = delivery;
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    readHeader(headers, name),
  );
  if (!id || !timestamp || !signatures) throw new WebhookError('The delivery has no signature');
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!(age <= tolerance)) throw new WebhookError('The delivery is too old');
  const key = await importKey(secretBytes(secret));
  const signed = text.encode(`${id}.${timestamp}.${body}`);
  for (const signature of signatures.split(' ')) {
    const [version, value = ''] = signature.split(',');
    if (version === 'v1' && (await isMatch(key, fromBase64(value), signed))) return JSON.parse(body) as T;
  }
  throw new WebhookError('The signature does not match');
}

/** Verifies the older header `X-Signature`: the HMAC-SHA256 of the body, in Base64 or hex. */
export async function verifySignature(delivery: { body: string; signature: string; secret: string }): Promise<boolean> {
  const { body, signature, secret } = delivery;
  const key = await importKey(text.encode(secret));
  const given = /^[0-9a-f]{64}$/i.test(signature) ? fromHex(signature) : fromBase64(signature);
  return isMatch(key, given, text.encode(body));
}

const importKey = (bytes: Uint8Array<ArrayBuffer>) =>
  crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);

type Key = Awaited<ReturnType<typeof importKey>>;

/** Compares in constant time. */
const isMatch = async (key: Key, signature: Uint8Array<ArrayBuffer> | null, signed: Uint8Array<ArrayBuffer>) =>
  signature !== null && crypto.subtle.verify('HMAC', key, signature, signed);

/** Secrets with the prefix are Base64. Others are used unchanged. */
const secretBytes = (secret: string): Uint8Array<ArrayBuffer> =>
  (secret.startsWith(PREFIX) ? fromBase64(secret.slice(PREFIX.length)) : null) ?? text.encode(secret);

function fromBase64(value: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(value), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

const fromHex = (value: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(value.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));

function readHeader(headers: Delivery['headers'], name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof found === 'string' ? found : found?.[0];
}
