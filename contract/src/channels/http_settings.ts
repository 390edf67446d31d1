/** Settings shared by all connections to carriers over HTTP. */
import { z } from 'zod';
import { range } from '../common.ts';

/** The base URL of a carrier's API: an adapter calls `${base_url}/path`. */
export const carrierUrl = (defaultUrl: string) =>
  z
    .string()
    .trim()
    .max(500)
    .transform((text) => text.replace(/\/+$/, ''))
    .refine(isCarrierUrl, { error: 'must be an http:// or https:// URL without a username, query, or fragment' })
    .default(defaultUrl);

function isCarrierUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && !username && !password && !search && !hash && !/[?#\s]/.test(text);
}

/** The value is sent unchanged in a header, so it cannot contain characters that could start another header. */
export const secret = z
  .string()
  .trim()
  .max(1_000)
  .regex(/^[\x21-\x7e]*$/, { error: 'can contain letters, digits, and symbols, but no spaces' })
  .default('');
export const digits = z
  .string()
  .trim()
  .regex(/^\d{1,30}$/, { error: 'must contain only digits' });

export const pace = {
  /** Maximum number of submitted messages that have not been acknowledged yet. */
  window: range(1, 1_000).default(50),
  /** Messages per second; null means no limit. */
  throughput: range(1, 10_000).nullable(),
  timeout_ms: range(1_000, 120_000).default(30_000),
};
