/** Who calls back: HMAC-SHA256 over the octets as they came. Without a secret nobody is believed. */
import { createHmac, timingSafeEqual } from 'node:crypto';

export function isSigned(secret: string, body: Buffer, hex: string): boolean {
  if (secret === '' || !/^[0-9a-f]{64}$/i.test(hex)) return false;
  return timingSafeEqual(createHmac('sha256', secret).update(body).digest(), Buffer.from(hex, 'hex'));
}

/** As long to find out for a good guess as for a bad one. */
export function isSecret(secret: string, given: string): boolean {
  const digest = (text: string) => createHmac('sha256', 'same length').update(text).digest();
  return secret !== '' && timingSafeEqual(digest(secret), digest(given));
}
