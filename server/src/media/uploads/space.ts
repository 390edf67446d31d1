/**
 * The storage of an account is limited, so that one account cannot fill the disk for all accounts. Media and the files
 * of imports count toward the same limit.
 */
import { Problem } from '@parley/contract/problem.ts';
import type { Queryable, Tx } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import * as queries from '../queries.ts';

const MB = 1024 * 1024;

/** Until the commit, no other transaction adds files to the account, so simultaneous uploads cannot share the rest. */
export const lockSpace = queries.lockStorage;

/**
 * Throws STORAGE_LIMIT_REACHED if the account has no space for this many more bytes. For an account that is not
 * approved yet, each open slot counts as the largest size allowed for its type.
 */
export async function requireSpace(
  kernel: Kernel,
  db: Queryable | Tx,
  { account_id, verified }: Pick<Actor, 'account_id' | 'verified'>,
  added = 1,
): Promise<void> {
  const { FILES_MB, FILES_UNVERIFIED_MB } = kernel.config;
  const limit = verified ? FILES_MB : FILES_UNVERIFIED_MB;
  const { stored, reserved } = await queries.countBytes(db, account_id);
  if (stored + (verified ? 0 : reserved) + added <= limit * MB) return;
  throw new Problem('STORAGE_LIMIT_REACHED', {
    message: `Your account can store up to ${limit} MB of files. Delete some files first`,
  });
}
