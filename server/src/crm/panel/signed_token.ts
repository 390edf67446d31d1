/** Reads the token that a CRM signs for its panels: a JWT with HMAC-SHA256 (RFC 7519). */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

const LEEWAY_SECONDS = 30;
const MAX_AGE_SECONDS = 3_600;

const Header = z.object({ alg: z.literal('HS256') });
const id = z.union([z.number(), z.string()]).transform(String);
const Claims = z.object({ userId: id, companyId: id, exp: z.number(), nbf: z.number().optional() });

interface PanelClaims {
  user_id: string;
  company_id: string;
}

/** Returns null if the token was not signed with the secret, or has expired. */
export function readSignedToken(token: string, secret: string, now: Date): PanelClaims | null {
  const [header = '', payload = '', signature = '', ...rest] = token.split('.');
  if (rest.length > 0) return null;
  const expected = createHmac('sha256', secret).update(`${header}.${payload}`).digest();
  const given = Buffer.from(signature, 'base64url');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  const claims = Header.safeParse(parse(header)).success ? Claims.safeParse(parse(payload)) : null;
  if (!claims?.success) return null;
  const { userId: user_id, companyId: company_id, exp, nbf = 0 } = claims.data;
  const seconds = now.getTime() / 1_000;
  const isCurrent = exp > seconds - LEEWAY_SECONDS && exp < seconds + MAX_AGE_SECONDS && nbf < seconds + LEEWAY_SECONDS;
  return isCurrent ? { user_id, company_id } : null;
}

function parse(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
  } catch {
    return null;
  }
}
