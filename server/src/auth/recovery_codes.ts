/** Ten codes for the day the phone is lost: shown once, kept as hashes, each good for one sign-in. */
import { createHash, randomBytes } from 'node:crypto';
import type { Tx } from '../kernel/db/db.ts';
import * as queries from './second_factor_queries.ts';
import { toBase32 } from './totp.ts';

const CODES = 10;
/** 80 bits: nobody guesses one, also not from its hash. */
const BYTES = 10;

/** The old ones end. */
export async function renewRecoveryCodes(tx: Tx, login_id: string): Promise<string[]> {
  const codes = Array.from({ length: CODES }, () => {
    const text = toBase32(randomBytes(BYTES)).toLowerCase();
    return text.match(/.{4}/g)!.join('-');
  });
  await queries.deleteRecoveryCodes(tx, login_id);
  await queries.insertRecoveryCodes(tx, login_id, codes.map(hashRecoveryCode));
  return codes;
}

/** However it was typed: capitals, spaces and dashes do not matter. */
export const hashRecoveryCode = (code: string): Buffer =>
  createHash('sha256').update(code.toLowerCase().replace(/[\s-]/g, '')).digest();
