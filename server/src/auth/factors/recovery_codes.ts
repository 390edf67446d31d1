/**
 * Ten codes for a person who has lost their phone. They are shown once, stored as hashes, and valid for one sign-in
 * each.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { Tx } from '../../kernel/db/db.ts';
import * as queries from './queries.ts';
import { toBase32 } from './totp.ts';

const CODES = 10;
/** 128 bits cannot be guessed, even by someone who has the hash. */
const BYTES = 16;

/** Creates new codes, which replace the old ones. */
export async function renewRecoveryCodes(tx: Tx, login_id: string): Promise<string[]> {
  const codes = Array.from({ length: CODES }, () => {
    const text = toBase32(randomBytes(BYTES)).toLowerCase();
    return text.match(/.{1,4}/g)!.join('-');
  });
  await queries.deleteRecoveryCodes(tx, login_id);
  await queries.insertRecoveryCodes(tx, login_id, codes.map(hashRecoveryCode));
  return codes;
}

/** Ignores case, spaces, and dashes. */
export const hashRecoveryCode = (code: string): Buffer =>
  createHash('sha256').update(code.toLowerCase().replace(/[\s-]/g, '')).digest();
