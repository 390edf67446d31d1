/**
 * Blocking, closing, and reopening accounts (state diagram in docs/accounts.md). Every transition locks the account's
 * row, is recorded in its audit log, and reaches open pages within a second. Only this file and reviews.ts write
 * `accounts.status`.
 */
import { Problem } from '@parley/contract/problem.ts';
import { endSessions, endUserSessions } from '../auth/auth.ts';
import { type Tx, violates } from '../kernel/db/db.ts';
import { enqueue, job } from '../kernel/jobs/jobs.ts';
import { record } from '../kernel/security/audit.ts';
import { announceAccount, announceCustomer, announceRights, announceUserRights, type Who } from './announce.ts';
import * as rows from './lifecycle_queries.ts';
import { mailOwners, mailUser, WORDS } from './mails.ts';

/** A closed account is erased after this many days and can no longer be reopened. */
export const ERASE_DAYS = 30;

/** Implemented by `senders`, a later module, which owns the numbers. */
export const releaseNumbers = job<{ account_id: string }>('accounts.release_numbers');

/**
 * Blocks or unblocks a customer and its sub-accounts for an operator. Unblocking restores the previous status. Sessions
 * stay open, so that their next request gets USER_BLOCKED rather than an error about an unknown session. Throws
 * ACCOUNT_NOT_FOUND, or OWNER_CHANGE_NOT_ALLOWED for the operator account.
 */
export async function blockAccount(
  tx: Tx,
  who: Who,
  account_id: string,
  blocked: boolean,
  reason: string,
): Promise<void> {
  const account = await lockAccount(tx, account_id);
  if (account.kind === 'OPERATOR')
    throw new Problem('OWNER_CHANGE_NOT_ALLOWED', { message: 'The operator account cannot be blocked' });
  await setBlocked(tx, who, account, blocked, 'operator', reason);
}

/** Blocks or unblocks a sub-account for its parent company. Throws PERMISSION_REQUIRED if an operator blocked it. */
export async function blockSubAccount(
  tx: Tx,
  who: Who,
  parent_id: string,
  account_id: string,
  blocked: boolean,
): Promise<void> {
  const account = await lockSubAccount(tx, parent_id, account_id);
  if (account.blocked_by === 'operator') {
    if (blocked) return;
    throw new Problem('PERMISSION_REQUIRED', {
      message: 'This account was blocked by support. Only support can unblock it.',
    });
  }
  await setBlocked(tx, who, account, blocked, 'parent', '');
}

async function setBlocked(
  tx: Tx,
  who: Who,
  account: rows.LockedAccount,
  blocked: boolean,
  by: 'operator' | 'parent',
  reason: string,
): Promise<void> {
  const { id: account_id } = account;
  // An operator's block replaces a weaker block (set by the parent company or inherited from it), and keeps the status
  // from before that block.
  const isUnchanged = blocked ? account.blocked_by === by : account.status !== 'BLOCKED';
  if (isUnchanged) return;
  const parent = account.parent_id && (await rows.lockAccount(tx, account.parent_id));
  const inherited = !blocked && parent && parent.status === 'BLOCKED';
  if (inherited && account.blocked_by === 'cascade')
    throw new Problem('OWNER_CHANGE_NOT_ALLOWED', {
      message: `The parent company ${parent.company_name} is blocked. Unblock it instead.`,
    });
  const status = blocked
    ? await rows.block(tx, account_id, by, reason)
    : inherited
      ? await rows.keepBlocked(tx, account_id)
      : await rows.unblock(tx, account_id);
  record(tx, who, {
    action: blocked ? 'account.blocked' : 'account.unblocked',
    account_id,
    target: asTarget(account),
    detail: reason ? { reason } : {},
  });
  const words = blocked ? WORDS.blocked(account.company_name, reason) : WORDS.unblocked(account.company_name);
  if (!inherited) await mailOwners(tx, who.kernel, account, words);
  await announceAccount(tx, account_id, status);
  announceRights(tx, account_id, null);
  const children = blocked ? await rows.blockChildren(tx, account_id) : await rows.unblockChildren(tx, account_id);
  for (const child of children) {
    record(tx, who, {
      action: blocked ? 'account.blocked' : 'account.unblocked',
      account_id: child.id,
      target: asTarget(child),
      detail: { with: account.company_name },
    });
    await announceAccount(tx, child.id, child.status);
    announceRights(tx, child.id, null);
  }
}

/**
 * Blocks or unblocks a user in one company for an operator. The user may be the company's owner, and the company cannot
 * lift the block. Throws ACCOUNT_NOT_FOUND, USER_NOT_FOUND, SELF_CHANGE_NOT_ALLOWED for the operator's own user,
 * OWNER_CHANGE_NOT_ALLOWED for other operators, or PERMISSION_REQUIRED if only the company blocked the user.
 */
export async function blockUser(
  tx: Tx,
  who: Who,
  account_id: string,
  user_id: string,
  blocked: boolean,
  reason: string,
): Promise<void> {
  if (who.actor.user_id === user_id) throw new Problem('SELF_CHANGE_NOT_ALLOWED');
  const account = await lockAccount(tx, account_id);
  if (account.kind === 'OPERATOR')
    throw new Problem('OWNER_CHANGE_NOT_ALLOWED', { message: 'Manage operators under Users' });
  const user = await rows.lockUser(tx, account_id, user_id);
  if (!user) throw new Problem('USER_NOT_FOUND');
  if (user.blocked_by_operator === blocked) {
    if (!blocked && user.blocked)
      throw new Problem('PERMISSION_REQUIRED', {
        message: 'This user was blocked by their company. Only the company can unblock them.',
      });
    return;
  }
  await rows.setUserBlocked(tx, account_id, user_id, { blocked, reason });
  if (blocked) await rows.expireInvitations(tx, account_id, user_id);
  else await endUserSessions(tx, account_id, user_id);
  record(tx, who, {
    action: blocked ? 'user.blocked' : 'user.unblocked',
    account_id,
    target: { type: 'user', id: user_id, name: user.full_name },
    detail: { reason },
  });
  if (blocked) await mailUser(tx, who.kernel, user, account, WORDS.userBlocked(account.company_name, reason));
  await announceUserRights(tx, account_id, user_id);
  await announceCustomer(tx, account_id);
}

/**
 * Closes an account: its sessions and keys end immediately, sign-in returns ACCOUNT_CLOSED, and personal data is erased
 * after 30 days. Throws ACCOUNT_CLOSE_NOT_ALLOWED while messages or campaigns are in progress, money is owed, or
 * sub-accounts are open. The caller checks whether the user may close it.
 */
export async function closeAccount(tx: Tx, who: Who, account_id: string): Promise<void> {
  const account = await lockAccount(tx, account_id);
  await requireIdle(tx, account_id);
  await endAccount(tx, who, account);
}

/** Closes a sub-account. Its balance must also be zero. */
export async function closeSubAccount(tx: Tx, who: Who, parent_id: string, account_id: string): Promise<void> {
  const account = await lockSubAccount(tx, parent_id, account_id);
  await requireIdle(tx, account_id);
  if ((await rows.countOpenWork(tx, account_id)).available_micros !== 0)
    throw new Problem('ACCOUNT_CLOSE_NOT_ALLOWED', {
      message: 'The sub-account still has a balance. Transfer it back first.',
    });
  await endAccount(tx, who, account);
}

async function endAccount(tx: Tx, who: Who, account: rows.LockedAccount): Promise<void> {
  const { id: account_id } = account;
  const last = new Date(tx.now.getTime() + ERASE_DAYS * 86_400_000).toISOString().slice(0, 10);
  const status = await rows.close(tx, account_id, tx.now);
  await rows.endReview(tx, account_id, tx.now);
  await endSessions(tx, { account_id });
  await rows.endKeys(tx, account_id, tx.now);
  await rows.endInvitations(tx, account_id);
  await enqueue(tx, releaseNumbers, { account_id });
  record(tx, who, { action: 'account.closed', account_id, target: asTarget(account) });
  await mailOwners(tx, who.kernel, account, WORDS.closed(account.company_name, last));
  await announceAccount(tx, account_id, status);
}

/**
 * Throws ACCOUNT_CLOSE_NOT_ALLOWED if work is in progress. The problem names the open work, so that users know what to
 * stop or wait for.
 */
async function requireIdle(tx: Tx, account_id: string): Promise<void> {
  const open = await rows.countOpenWork(tx, account_id);
  const count = (n: number, one: string, many = `${one}s`) => (n === 0 ? [] : [`${n} ${n === 1 ? one : many}`]);
  const items = [
    ...count(open.messages, 'message'),
    ...count(open.campaigns, 'campaign'),
    ...count(open.sub_accounts, 'sub-account'),
  ];
  if (items.length > 0)
    throw new Problem('ACCOUNT_CLOSE_NOT_ALLOWED', {
      message: `Still open: ${items.join(', ')}. Cancel or close them, or wait until they are finished.`,
    });
  if (open.available_micros < 0)
    throw new Problem('ACCOUNT_CLOSE_NOT_ALLOWED', { message: 'The balance is negative. Add funds first.' });
}

/**
 * Reopens an account within 30 days of its closing. Users must sign in again and create new keys. Throws
 * ACCOUNT_NOT_FOUND, or COMPANY_NAME_EXISTS if another company has taken the name in the meantime.
 */
export async function reopenAccount(tx: Tx, who: Who, account_id: string): Promise<void> {
  const account = await rows.lockAccount(tx, account_id);
  if (!account || account.erase_date) throw new Problem('ACCOUNT_NOT_FOUND');
  if (!account.close_date) return;
  if (account.parent_id && (await rows.lockAccount(tx, account.parent_id))?.close_date)
    throw new Problem('ACCOUNT_NOT_FOUND', { message: 'The parent company is closed. Reopen it first.' });
  const status = await rows.reopen(tx, account_id).catch((error: unknown) => {
    throw violates(error) ? new Problem('COMPANY_NAME_EXISTS') : error;
  });
  record(tx, who, { action: 'account.reopened', account_id, target: asTarget(account) });
  await mailOwners(tx, who.kernel, account, WORDS.reopened(account.company_name));
  await announceAccount(tx, account_id, status);
}

/** Locks the row of an open account. Throws ACCOUNT_NOT_FOUND if the account does not exist or is closed. */
export async function lockAccount(tx: Tx, account_id: string): Promise<rows.LockedAccount> {
  const account = await rows.lockAccount(tx, account_id);
  if (!account || account.close_date) throw new Problem('ACCOUNT_NOT_FOUND');
  return account;
}

export async function lockSubAccount(tx: Tx, parent_id: string, account_id: string): Promise<rows.LockedAccount> {
  const account = await rows.lockAccount(tx, account_id);
  if (!account || account.parent_id !== parent_id || account.close_date) throw new Problem('SUBACCOUNT_NOT_FOUND');
  return account;
}

const asTarget = (account: { id: string; company_name: string }) => ({
  type: 'account',
  id: account.id,
  name: account.company_name,
});
