/**
 * Each account's storage is limited, so that one account cannot fill the disk for all accounts. Media, which include
 * the files of inbound messages, the files of imports, and the documents of registrations count toward the same limit.
 */
import { Problem } from '@parley/contract/problem.ts';
import type { Queryable, Tx } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import * as queries from '../queries.ts';

const MB = 1024 * 1024;

/** Until the commit, no other transaction adds files to the account, so simultaneous uploads cannot share the rest. */
export const lockSpace = queries.lockStorage;

type Owner = Pick<Actor, 'account_id' | 'verified'>;

/**
 * Throws STORAGE_LIMIT_REACHED if the account has no space for this many more bytes. For an account that is not
 * approved yet, each open slot counts as the largest size allowed for its type.
 */
export const requireSpace = (kernel: Kernel, db: Queryable | Tx, owner: Owner, added = 1): Promise<void> =>
  checkSpace(kernel, db, owner, added, !owner.verified);

/** As `requireSpace`, without the open slots: the file of one of them has just arrived and its size is known. */
export const requireSpaceForArrived = (kernel: Kernel, db: Queryable | Tx, owner: Owner, bytes: number) =>
  checkSpace(kernel, db, owner, bytes, false);

async function checkSpace(
  kernel: Kernel,
  db: Queryable | Tx,
  { account_id, verified }: Owner,
  added: number,
  withOpenSlots: boolean,
): Promise<void> {
  const { FILES_MB, FILES_UNVERIFIED_MB } = kernel.config;
  const limit = verified ? FILES_MB : FILES_UNVERIFIED_MB;
  const { stored, reserved } = await queries.countBytes(db, account_id);
  if (stored + (withOpenSlots ? reserved : 0) + added <= limit * MB) return;
  throw new Problem('STORAGE_LIMIT_REACHED', {
    message: `Your account can store up to ${limit} MB of files. Delete some files first`,
  });
}
