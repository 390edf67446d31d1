import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { areKeysValid, encryptPush, MAX_PUSH_BYTES, newVapidKeys, vapidHeader } from './encryption.ts';

const bytes = (text: string) => Buffer.from(text, 'base64url');
/** RFC 8291, appendix A. */
const VECTOR = {
  text: 'When I grow up, I want to be a watermelon',
  private_key: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
  salt: 'DGv6ra1nlYgDCS1FRnbzlw',
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  body:
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLoc' +
    'InmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
};

test('a notification is encrypted as in the example of RFC 8291', () => {
  const chosen = { private_key: bytes(VECTOR.private_key), salt: bytes(VECTOR.salt) };
  expect(encryptPush(VECTOR.text, VECTOR, chosen).toString('base64url')).toBe(VECTOR.body);
});

test('a browser decrypts every notification with its own keys, up to the limit', () => {
  const browser = createECDH('prime256v1');
  const keys = { p256dh: browser.generateKeys('base64url'), auth: randomBytes(16).toString('base64url') };
  for (const text of ['', 'Grüße 👋', 'x'.repeat(MAX_PUSH_BYTES)]) {
    const body = encryptPush(text, keys);
    expect(body.length).toBeLessThanOrEqual(4_096);
    expect(decrypt(body, browser, bytes(keys.auth))).toBe(text);
  }
  expect(() => encryptPush('x'.repeat(MAX_PUSH_BYTES + 1), keys)).toThrow();
});

function decrypt(body: Buffer, browser: ReturnType<typeof createECDH>, auth: Buffer): string {
  const salt = body.subarray(0, 16);
  const server = body.subarray(21, 86);
  const hkdf = (key: Buffer, from: Buffer, info: Buffer, size: number) =>
    Buffer.from(hkdfSync('sha256', key, from, info, size));
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browser.getPublicKey(), server]);
  const input = hkdf(browser.computeSecret(server), auth, info, 32);
  const key = hkdf(input, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const decipher = createDecipheriv(
    'aes-128-gcm',
    key,
    hkdf(input, salt, Buffer.from('Content-Encoding: nonce\0'), 12),
  );
  decipher.setAuthTag(body.subarray(-16));
  const plain = Buffer.concat([decipher.update(body.subarray(86, -16)), decipher.final()]);
  expect(plain.at(-1)).toBe(2);
  return plain.subarray(0, -1).toString();
}

test('the push service verifies who sends a notification', () => {
  const keys = newVapidKeys();
  const now = new Date('2027-01-31T09:00:00Z');
  const header = vapidHeader(keys, 'https://push.example.com/send/abc?x=1', 'https://parley.example', now);
  const [, token, key] = /^vapid t=(\S+), k=(\S+)$/.exec(header)!;
  expect(key).toBe(keys.public_key);
  const [head, claims, signature] = token!.split('.') as [string, string, string];
  expect(JSON.parse(bytes(claims).toString())).toEqual({
    ...{ aud: 'https://push.example.com', exp: now.getTime() / 1_000 + 43_200, sub: 'https://parley.example' },
  });
  const point = bytes(keys.public_key);
  const jwk = { kty: 'EC', crv: 'P-256', x: point.subarray(1, 33).toString('base64url') };
  const publicKey = createPublicKey({ key: { ...jwk, y: point.subarray(33).toString('base64url') }, format: 'jwk' });
  const isSigned = (text: string) =>
    verify('sha256', Buffer.from(text), { key: publicKey, dsaEncoding: 'ieee-p1363' }, bytes(signature));
  expect(isSigned(`${head}.${claims}`)).toBe(true);
  expect(isSigned(`${head}.${claims}x`)).toBe(false);
});

test('keys that are not on the curve are refused', () => {
  expect(areKeysValid(VECTOR)).toBe(true);
  expect(areKeysValid({ ...VECTOR, auth: 'short' })).toBe(false);
  expect(areKeysValid({ ...VECTOR, p256dh: Buffer.alloc(65, 4).toString('base64url') })).toBe(false);
});
