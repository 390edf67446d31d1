/**
 * Encrypts secrets in the database (authenticators, carrier passwords): AES-256-GCM with a key derived from the
 * installation's secret. A value sealed for one row cannot be opened in another. A copy of the database alone reveals
 * no secrets. If the installation's secret is lost, the sealed values are lost too. After the secret was replaced,
 * values that were sealed with a previous one can still be opened.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';

/** The location of the sealed value, which is bound into the value. */
interface Place {
  table: string;
  row: string;
}

export interface Seals {
  seal(text: string, place: Place): string;
  /** Throws if the value was sealed for another location or with an unknown secret, or was changed. */
  open(sealed: string, place: Place): string;
  /** The prefix of every value that was sealed with the current secret. */
  readonly prefix: string;
  /** Returns a hash that only this installation can compute, for codes that are too short for a plain hash. */
  mac(text: string, purpose: string): Buffer;
  /** Compares in constant time, with the hashes of the current and of the previous secrets. */
  isMac(text: string, purpose: string, mac: Uint8Array): boolean;
}

const CIPHER = 'aes-256-gcm';
const MARK = 'sealed';
const IV_BYTES = 12;
const TAG_BYTES = 16;

export const isSealed = (text: string): boolean => text.startsWith(`${MARK}.`);

/** The keys that are derived from one secret. */
function deriveKeys(secret: string) {
  const derive = (purpose: string, bytes: number) => Buffer.from(hkdfSync('sha256', secret, 'parley', purpose, bytes));
  return {
    seal: derive('seal', 32),
    mac: derive('mac', 32),
    /** Identifies the key without revealing anything about it. */
    id: derive('seal id', 6).toString('base64url'),
  };
}
type Keys = ReturnType<typeof deriveKeys>;

const bindTo = ({ table, row }: Place, id: string) => Buffer.from(JSON.stringify([MARK, id, table, row]));

const hash = ({ mac }: Keys, text: string, purpose: string): Buffer =>
  createHmac('sha256', mac)
    .update(JSON.stringify([purpose, text]))
    .digest();

/** Seals with `secret`. Values sealed with one of the previous secrets can also be opened. */
export function createSeals(secret: string, previous: readonly string[] = []): Seals {
  const current = deriveKeys(secret);
  const all = [current, ...previous.map(deriveKeys)];
  return {
    prefix: `${MARK}.${current.id}.`,
    seal(text, place) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, current.seal, iv, { authTagLength: TAG_BYTES });
      cipher.setAAD(bindTo(place, current.id));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return [MARK, current.id, Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')].join('.');
    },
    open(sealed, place) {
      const [mark, id, text, ...rest] = sealed.split('.');
      if (mark !== MARK || text === undefined || rest.length > 0) throw new Error(`not sealed: ${place.table}`);
      const keys = all.find((keys) => keys.id === id);
      if (!keys) {
        const known = all.map((keys) => keys.id).join(', ');
        throw new Error(`${place.table} ${place.row} was sealed with another SECRET_KEY (${id}); known: ${known}`);
      }
      const bytes = Buffer.from(text, 'base64url');
      const cipher = createDecipheriv(CIPHER, keys.seal, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
        .setAAD(bindTo(place, keys.id))
        .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      return Buffer.concat([cipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), cipher.final()]).toString('utf8');
    },
    mac: (text, purpose) => hash(current, text, purpose),
    isMac: (text, purpose, mac) =>
      all.map((keys) => timingSafeEqual(hash(keys, text, purpose), mac)).some((matches) => matches),
  };
}
