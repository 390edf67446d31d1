/** Verifies callbacks: HMAC-SHA256 over the exact octets. Without a secret, every callback is refused. */
import { createHmac, timingSafeEqual } from 'node:crypto';

export function isSigned(secret: string, body: Buffer, hex: string): boolean {
  if (secret === '' || !/^[0-9a-f]{64}$/i.test(hex)) return false;
  return timingSafeEqual(createHmac('sha256', secret).update(body).digest(), Buffer.from(hex, 'hex'));
}

/** Compares in constant time. */
export function isSecret(secret: string, candidate: string): boolean {
  const digest = (text: string) => createHmac('sha256', 'same length').update(text).digest();
  return secret !== '' && timingSafeEqual(digest(secret), digest(candidate));
}
