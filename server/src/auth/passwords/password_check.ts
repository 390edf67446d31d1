/** Asks for the password again: a session left open on a desk, or stolen, must not be enough for sensitive changes. */
import { Problem } from '@parley/contract/problem.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import * as attempts from './attempts.ts';
import { verifyPassword } from './passwords.ts';

/**
 * Passes when the person has no password. It runs outside of a transaction, since hashing takes long and failures must
 * be counted. Problems: PROOF_REQUIRED (wrong or missing), SIGN_IN_ATTEMPTS_EXCEEDED (too many failures).
 */
export async function requirePassword(
  { db }: Pick<Kernel, 'db'>,
  person: { email: string; password_hash: string | null },
  password: string | undefined,
  address: string,
): Promise<void> {
  if (person.password_hash === null) return;
  if (password === undefined) throw new Problem('PROOF_REQUIRED');
  const email = person.email.toLowerCase();
  const matches = await verifyPassword(person.password_hash, password, {
    before: () => attempts.rejectPaused(db, email, address),
    onFailure: async () => void (await attempts.recordFailure(db, email, address)),
  });
  if (!matches) throw new Problem('PROOF_REQUIRED');
}
