import { createHash } from 'node:crypto';

/** An account at the sign-in provider. */
export interface GooglePerson {
  email: string;
  name: string;
  email_verified: boolean;
}

export function toClaims(sub: string, { email, email_verified, name }: GooglePerson) {
  const [given_name = '', ...rest] = name.split(' ');
  return { sub, email, email_verified, name, given_name, family_name: rest.join(' ') };
}

/** Returns a subject of 21 digits, as the real provider does. */
export const toSubject = (email: string): string =>
  BigInt(`0x${createHash('sha256').update(email.toLowerCase()).digest('hex')}`)
    .toString()
    .slice(0, 21);

export function readPerson(form: URLSearchParams): GooglePerson | null {
  const email = form.get('email')?.trim() ?? '';
  if (!/^[^\s@]{1,64}@[^\s@]{1,180}$/.test(email)) return null;
  const name = form.get('name')?.trim().slice(0, 100) || email.split('@')[0]!;
  return { email, name, email_verified: form.get('email_verified') === 'yes' };
}
