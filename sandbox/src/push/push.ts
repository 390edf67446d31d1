/**
 * A push service, like those of browsers: a subscription has an address and keys, and the messages that arrive there
 * are decrypted (RFC 8291) after the sender has been verified (RFC 8292).
 */
import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  type ECDH,
  hkdfSync,
  randomBytes,
  randomUUID,
  verify,
} from 'node:crypto';

const kept = 200;

interface Subscription {
  keys: ECDH;
  auth: Buffer;
  expired: boolean;
  /** The status that the next requests get instead of 201. */
  status: number | null;
  messages: PushMessage[];
  /** Requests, including refused ones. */
  attempts: number;
}

interface PushMessage {
  time: string;
  text: string;
  topic: string | null;
  ttl: string | null;
  urgency: string | null;
}

type Headers = Record<string, string | string[] | undefined>;

export class Push {
  readonly #subscriptions = new Map<string, Subscription>();

  subscribe(origin: string): { id: string; endpoint: string; p256dh: string; auth: string } {
    const id = randomUUID();
    const keys = createECDH('prime256v1');
    const p256dh = keys.generateKeys('base64url');
    const auth = randomBytes(16);
    this.#subscriptions.set(id, { keys, auth, expired: false, status: null, messages: [], attempts: 0 });
    return { id, endpoint: `${origin}/push/${id}`, p256dh, auth: auth.toString('base64url') };
  }

  /** Returns the status of the response. */
  receive(id: string, origin: string, headers: Headers, body: Buffer): number {
    const subscription = this.#subscriptions.get(id);
    if (!subscription) return 404;
    subscription.attempts++;
    if (subscription.expired) return 410;
    if (!isSenderValid(String(headers.authorization), origin)) return 403;
    if (headers['content-encoding'] !== 'aes128gcm' || headers.ttl === undefined) return 400;
    if (subscription.status !== null) return subscription.status;
    const text = decrypt(body, subscription);
    if (text === null) return 400;
    const header = (name: string) => (headers[name] === undefined ? null : String(headers[name]));
    subscription.messages.push({
      ...{ time: new Date().toISOString(), text, topic: header('topic') },
      ...{ ttl: header('ttl'), urgency: header('urgency') },
    });
    subscription.messages.splice(0, subscription.messages.length - kept);
    return 201;
  }

  messages(id: string): readonly PushMessage[] {
    return this.#subscriptions.get(id)?.messages ?? [];
  }

  attempts(id: string): number {
    return this.#subscriptions.get(id)?.attempts ?? 0;
  }

  expire(id: string): void {
    const subscription = this.#subscriptions.get(id);
    if (subscription) subscription.expired = true;
  }

  answer(id: string, status: number | null): void {
    const subscription = this.#subscriptions.get(id);
    if (subscription) subscription.status = status;
  }
}

const hkdf = (key: Buffer, salt: Buffer, info: Buffer, size: number): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, info, size));
const label = (text: string): Buffer => Buffer.from(`${text}\0`);

function decrypt(body: Buffer, { keys, auth }: Subscription): string | null {
  try {
    const salt = body.subarray(0, 16);
    const sender = body.subarray(21, 21 + body[20]!);
    const record = body.subarray(21 + body[20]!);
    const info = Buffer.concat([label('WebPush: info'), keys.getPublicKey(), sender]);
    const input = hkdf(keys.computeSecret(sender), auth, info, 32);
    const key = hkdf(input, salt, label('Content-Encoding: aes128gcm'), 16);
    const nonce = hkdf(input, salt, label('Content-Encoding: nonce'), 12);
    const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(record.subarray(-16));
    const plain = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
    return plain.at(-1) === 2 ? plain.subarray(0, -1).toString() : null;
  } catch {
    return null;
  }
}

function isSenderValid(header: string, origin: string): boolean {
  const [, head, claims, signature, key] = /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)$/.exec(header) ?? [];
  if (!head || !claims || !signature || !key) return false;
  const point = Buffer.from(key, 'base64url');
  const { aud, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { aud: string; exp: number };
  const seconds = Date.now() / 1_000;
  if (aud !== origin || exp < seconds || exp > seconds + 86_400) return false;
  const jwk = { kty: 'EC', crv: 'P-256', x: point.subarray(1, 33).toString('base64url') };
  const publicKey = createPublicKey({ key: { ...jwk, y: point.subarray(33).toString('base64url') }, format: 'jwk' });
  return verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
}
