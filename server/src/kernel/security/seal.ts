/**
 * Encrypts secrets in the database (authenticators, carrier passwords): AES-256-GCM with a key derived from the
 * installation's secret. A value sealed for one row cannot be opened in another. A copy of the database alone reveals
 * no secrets. If the installation's secret is lost, the sealed values are lost too.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** Where the sealed value is stored. The location is bound into the value. */
interface Place {
  table: string;
  row: string;
}

export interface Seals {
  seal(text: string, place: Place): string;
  /** Throws if the value was sealed for another location or with another secret, or was changed. */
  open(sealed: string, place: Place): string;
  /** Returns a hash that only this installation can compute, for codes that are too short for a plain hash. */
  mac(text: string, purpose: string): Buffer;
}

const CIPHER = 'aes-256-gcm';
const MARK = 'sealed';
const IV_BYTES = 12;
const TAG_BYTES = 16;

export const isSealed = (text: string): boolean => text.startsWith(`${MARK}.`);

export function createSeals(secret: string): Seals {
  const derive = (purpose: string, bytes: number) => Buffer.from(hkdfSync('sha256', secret, 'parley', purpose, bytes));
  const key = derive('seal', 32);
  // Identifies the key without revealing anything about it.
  const id = derive('seal id', 6).toString('base64url');
  const macKey = derive('mac', 32);
  const bound = ({ table, row }: Place) => Buffer.from(JSON.stringify([MARK, id, table, row]));
  return {
    seal(text, place) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES }).setAAD(bound(place));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return [MARK, id, Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')].join('.');
    },
    open(sealed, place) {
      const [mark, by, text, ...rest] = sealed.split('.');
      if (mark !== MARK || text === undefined || rest.length > 0) throw new Error(`not sealed: ${place.table}`);
      if (by !== id)
        throw new Error(`${place.table} ${place.row} was sealed with another SECRET_KEY (${by}); this one is ${id}`);
      const bytes = Buffer.from(text, 'base64url');
      const cipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
        .setAAD(bound(place))
        .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      return Buffer.concat([cipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), cipher.final()]).toString('utf8');
    },
    mac: (text, purpose) =>
      createHmac('sha256', macKey)
        .update(JSON.stringify([purpose, text]))
        .digest(),
  };
}
