/**
 * Encrypts notifications for a browser (RFC 8291, with the content coding of RFC 8188) and identifies this installation
 * to push services (VAPID, RFC 8292).
 */
import {
  createCipheriv,
  createECDH,
  createPrivateKey,
  generateKeyPairSync,
  hkdfSync,
  randomBytes,
  sign,
} from 'node:crypto';

const CURVE = 'prime256v1';
const POINT_BYTES = 65;
/** The size of the only record. Push services accept 4,096 bytes. */
const RECORD_SIZE = 4_096;
const HEADER_BYTES = 16 + 4 + 1 + POINT_BYTES;
/** The longest text: the record has one byte of padding and a tag of 16 bytes. */
export const MAX_PUSH_BYTES = RECORD_SIZE - HEADER_BYTES - 17;
const TOKEN_SECONDS = 12 * 3_600;

export interface BrowserKeys {
  /** Base64url. */
  p256dh: string;
  auth: string;
}

interface Chosen {
  private_key: Buffer;
  salt: Buffer;
}

const derive = (key: Buffer, salt: Buffer, info: Buffer, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, info, bytes));
const label = (text: string): Buffer => Buffer.from(`${text}\0`, 'ascii');

/** True if the key is a point of the curve and the secret has 16 bytes. */
export function areKeysValid({ p256dh, auth }: BrowserKeys): boolean {
  const point = Buffer.from(p256dh, 'base64url');
  if (point.length !== POINT_BYTES || point[0] !== 4 || Buffer.from(auth, 'base64url').length !== 16) return false;
  try {
    const ecdh = createECDH(CURVE);
    ecdh.generateKeys();
    ecdh.computeSecret(point);
    return true;
  } catch {
    return false;
  }
}

/** `chosen` is only for tests: a key and a salt must not be used twice. */
export function encryptPush(text: string, keys: BrowserKeys, chosen?: Chosen): Buffer {
  const plain = Buffer.from(text, 'utf8');
  if (plain.length > MAX_PUSH_BYTES) throw new Error(`a notification has ${plain.length} bytes`);
  const browser = Buffer.from(keys.p256dh, 'base64url');
  const own = createECDH(CURVE);
  if (chosen) own.setPrivateKey(chosen.private_key);
  else own.generateKeys();
  const salt = chosen?.salt ?? randomBytes(16);
  const info = Buffer.concat([label('WebPush: info'), browser, own.getPublicKey()]);
  const input = derive(own.computeSecret(browser), Buffer.from(keys.auth, 'base64url'), info, 32);
  const cipher = createCipheriv(
    'aes-128-gcm',
    derive(input, salt, label('Content-Encoding: aes128gcm'), 16),
    derive(input, salt, label('Content-Encoding: nonce'), 12),
  );
  const size = Buffer.alloc(4);
  size.writeUInt32BE(RECORD_SIZE);
  return Buffer.concat([
    ...[salt, size, Buffer.from([POINT_BYTES]), own.getPublicKey()],
    // 2 marks the end of the last record.
    ...[cipher.update(Buffer.concat([plain, Buffer.from([2])])), cipher.final(), cipher.getAuthTag()],
  ]);
}

/** Both are base64url: the public key as an uncompressed point, and the private key as PKCS #8. */
export interface VapidKeys {
  public_key: string;
  private_key: string;
}

export function newVapidKeys(): VapidKeys {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: CURVE });
  const { x, y } = publicKey.export({ format: 'jwk' });
  const point = Buffer.concat([Buffer.from([4]), Buffer.from(x!, 'base64url'), Buffer.from(y!, 'base64url')]);
  return {
    public_key: point.toString('base64url'),
    private_key: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64url'),
  };
}

/** The `authorization` header for a push service. `subject` is a URL of this installation. */
export function vapidHeader({ public_key, private_key }: VapidKeys, endpoint: string, subject: string, now: Date) {
  const json = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const expires = Math.floor(now.getTime() / 1_000) + TOKEN_SECONDS;
  const claims = { aud: new URL(endpoint).origin, exp: expires, sub: subject };
  const text = `${json({ typ: 'JWT', alg: 'ES256' })}.${json(claims)}`;
  const key = createPrivateKey({ key: Buffer.from(private_key, 'base64url'), format: 'der', type: 'pkcs8' });
  const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url');
  return `vapid t=${text}.${signature}, k=${public_key}`;
}
