/**
 * Asks for the password again before sensitive changes, because a session that was stolen or left open on a desk must
 * not be enough.
 */
import { Problem } from '@parley/contract/problem.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import * as attempts from './attempts.ts';
import { verifyPassword } from './passwords.ts';

/**
 * Passes if the person has no password. Runs outside a transaction, because hashing takes long and failures must be
 * counted. Throws PROOF_REQUIRED (wrong or missing password) or SIGN_IN_ATTEMPTS_EXCEEDED (too many failures).
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
