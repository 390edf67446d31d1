/** Whoever changes the locks gives the password once more: a session left open on a desk, or stolen, must not be enough. */
import { Problem } from '@parley/contract/problem.ts';
import type { Kernel } from '../kernel/kernel.ts';
import * as attempts from './attempts.ts';
import { verifyPassword } from './passwords.ts';

/**
 * Problems: PROOF_REQUIRED (wrong or missing), SIGN_IN_ATTEMPTS_EXCEEDED after too many. Somebody without a password
 * has nothing to give. Outside a transaction: hashing takes long and a failure must be remembered.
 */
export async function demandPassword(
  { db }: Pick<Kernel, 'db'>,
  person: { email: string; password_hash: string | null },
  given: string | undefined,
  address: string,
): Promise<void> {
  if (person.password_hash === null) return;
  if (given === undefined) throw new Problem('PROOF_REQUIRED');
  const email = person.email.toLowerCase();
  const right = await verifyPassword(person.password_hash, given, {
    before: () => attempts.demandFree(db, email, address),
    wrong: async () => void (await attempts.failed(db, email, address)),
  });
  if (!right) throw new Problem('PROOF_REQUIRED');
}
