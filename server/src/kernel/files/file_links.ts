/**
 * Creates links to files. A link needs no sign-in and works until it expires. Every parameter is signed, and the rest
 * of the request is ignored.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../clock.ts';

interface LinkOptions {
  expires_s: number;
  filename?: string;
  disposition?: 'inline' | 'attachment';
}
interface VerifiedLink {
  key: string;
  filename: string | null;
  disposition: 'inline' | 'attachment';
}
export interface FileLinks {
  /** Returns the query string for a link that needs no sign-in until it expires. */
  sign(key: string, options: LinkOptions): string;
  /** Returns null if the link was forged or changed, or has expired. */
  verify(query: Readonly<Record<string, unknown>>, now?: Date): VerifiedLink | null;
  /**
   * Returns a signature for another kind of link. Because of `purpose`, a signature for one kind is not valid for
   * another.
   */
  signature(purpose: string, fields: readonly string[]): string;
  isSigned(purpose: string, fields: readonly string[], signature: unknown): boolean;
}

const KEY = /^[a-z0-9][a-z0-9_-]*(?:\.[a-z0-9]+)*(?:\/[a-z0-9][a-z0-9_-]*(?:\.[a-z0-9]+)*){0,7}$/i;

/** Throws unless the text is a storage key. A valid key cannot leave the folder or the bucket. */
export function requireStorageKey(key: string): string {
  if (key.length > 300 || !KEY.test(key)) throw new Error('not a storage key');
  return key;
}

/** Signs with the first secret. Signatures with the other, previous secrets are still valid. */
export function fileLinks(secrets: readonly string[], clock: Clock): FileLinks {
  const signWith = (secret: string, purpose: string, fields: readonly string[]): string =>
    createHmac('sha256', secret)
      .update(JSON.stringify([purpose, ...fields]))
      .digest('base64url');
  const signature = (purpose: string, fields: readonly string[]): string => signWith(secrets[0]!, purpose, fields);
  const isSigned = (purpose: string, fields: readonly string[], received: unknown): boolean => {
    const actual = Buffer.from(typeof received === 'string' ? received : '');
    return secrets.some((secret) => {
      const expected = Buffer.from(signWith(secret, purpose, fields));
      return expected.length === actual.length && timingSafeEqual(expected, actual);
    });
  };
  return {
    signature,
    isSigned,

    sign(key, { expires_s, filename = '', disposition = 'attachment' }) {
      requireStorageKey(key);
      const expires = String(Math.floor(clock.now().getTime() / 1000) + expires_s);
      return new URLSearchParams({
        key,
        expires,
        ...(filename ? { filename } : {}),
        disposition,
        signature: signature('file', [key, expires, filename, disposition]),
      }).toString();
    },

    verify(query, now = clock.now()) {
      const { key, expires, filename = '', disposition, signature: received } = query;
      if (typeof key !== 'string' || typeof expires !== 'string' || typeof filename !== 'string') return null;
      if (disposition !== 'inline' && disposition !== 'attachment') return null;
      if (!isSigned('file', [key, expires, filename, disposition], received)) return null;
      if (Number(expires) * 1000 < now.getTime()) return null;
      return { key, filename: filename || null, disposition };
    },
  };
}
