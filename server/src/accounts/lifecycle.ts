/**
 * The states of an account beyond its approval: blocked and back, closed, opened again, erased. Drawn in docs/accounts.md. Every move locks the
 * account's row, is recorded in the customer's own log, and is heard by open pages within a second. Nothing else writes `accounts.status`
 * but this file and reviews.ts.
 */
import { Problem } from '@parley/contract/problem.ts';
import { endSessions } from '../auth/auth.ts';
import { type Tx, violates } from '../kernel/db/db.ts';
import { enqueue, job } from '../kernel/jobs/jobs.ts';
import { record } from '../kernel/security/audit.ts';
import { announceAccount, announceCustomer, announceRights, announceRightsOf, type Who } from './announce.ts';
import * as rows from './lifecycle_queries.ts';
import { WORDS, writeTo, writeToOwners } from './mails.ts';

/** After so many days a closed account is erased and cannot be opened again. */
export const ERASE_DAYS = 30;

/** Worked in senders, which stand above and own the numbers. */
export const releaseNumbers = job<{ account_id: string }>('accounts.release_numbers');

/**
 * An operator blocks a customer, or lets it back to what it was. Its sub-accounts are blocked with it. Sessions stay, so that their next call
 * hears USER_BLOCKED and not that they are unknown. Problems: ACCOUNT_NOT_FOUND; OWNER_CHANGE_NOT_ALLOWED for the
 * operators' own account.
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
    throw new Problem('OWNER_CHANGE_NOT_ALLOWED', { message: 'The operators’ account cannot be blocked' });
  await setBlocked(tx, who, account, blocked, 'operator', reason);
}

/** A parent company blocks one of its own. What an operator blocked it cannot lift: PERMISSION_REQUIRED. */
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
      message: 'This account was blocked by our support, who alone can lift it',
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
  // An operator's block replaces a weaker one; the state before it stays the one remembered.
  const nothingToDo = blocked ? account.blocked_by === by : account.status !== 'BLOCKED';
  if (nothingToDo) return;
  const parent = account.parent_id && (await rows.lockAccount(tx, account.parent_id));
  const inherited = !blocked && parent && parent.status === 'BLOCKED';
  if (inherited && account.blocked_by === 'cascade')
    throw new Problem('OWNER_CHANGE_NOT_ALLOWED', {
      message: `${parent.company_name}, its parent company, is blocked: unblock that one`,
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
  if (!inherited) await writeToOwners(tx, who.kernel, account, words);
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
 * An operator blocks a person in one company, also an owner. Nobody of the company can lift it. Problems:
 * ACCOUNT_NOT_FOUND, USER_NOT_FOUND, SELF_CHANGE_NOT_ALLOWED for oneself, OWNER_CHANGE_NOT_ALLOWED for other operators,
 * PERMISSION_REQUIRED where only the company blocked them.
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
    throw new Problem('OWNER_CHANGE_NOT_ALLOWED', { message: 'Operators are managed under Users' });
  const user = await rows.lockUser(tx, account_id, user_id);
  if (!user) throw new Problem('USER_NOT_FOUND');
  if (user.blocked_by_operator === blocked) {
    if (!blocked && user.blocked)
      throw new Problem('PERMISSION_REQUIRED', { message: 'Their company blocked them, and alone lifts it' });
    return;
  }
  await rows.setUserBlocked(tx, account_id, user_id, { blocked, reason });
  if (blocked) await rows.endOffersOf(tx, account_id, user_id);
  record(tx, who, {
    action: blocked ? 'user.blocked' : 'user.unblocked',
    account_id,
    target: { type: 'user', id: user_id, name: user.full_name },
    detail: { reason },
  });
  if (blocked) await writeTo(tx, who.kernel, user, account, WORDS.userBlocked(account.company_name, reason));
  await announceRightsOf(tx, account_id, user_id);
  await announceCustomer(tx, account_id);
}

/**
 * The end of an account: every session and key ends at once, sign-in says ACCOUNT_CLOSED, personal data goes after 30
 * days. Refused with ACCOUNT_CLOSE_NOT_ALLOWED while messages or campaigns are on their way, money is owed, or
 * sub-accounts are open. Who may ask is the caller's business.
 */
export async function closeAccount(tx: Tx, who: Who, account_id: string): Promise<void> {
  const account = await lockAccount(tx, account_id);
  await demandAtRest(tx, account_id);
  await endAccount(tx, who, account);
}

/** The same for one of a company's own, which may not have money left either. */
export async function closeSubAccount(tx: Tx, who: Who, parent_id: string, account_id: string): Promise<void> {
  const account = await lockSubAccount(tx, parent_id, account_id);
  await demandAtRest(tx, account_id);
  if ((await rows.underway(tx, account_id)).available_micros !== 0)
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
  await writeToOwners(tx, who.kernel, account, WORDS.closed(account.company_name, last));
  await announceAccount(tx, account_id, status);
}

/** What would be lost or orphaned. The words name it, so that people know what to wait for or to stop. */
async function demandAtRest(tx: Tx, account_id: string): Promise<void> {
  const found = await rows.underway(tx, account_id);
  const count = (n: number, one: string, many = `${one}s`) => (n === 0 ? [] : [`${n} ${n === 1 ? one : many}`]);
  const left = [
    ...count(found.messages, 'message'),
    ...count(found.campaigns, 'campaign'),
    ...count(found.sub_accounts, 'sub-account'),
  ];
  if (left.length > 0)
    throw new Problem('ACCOUNT_CLOSE_NOT_ALLOWED', {
      message: `Still open: ${left.join(', ')}. Stop them or wait until they are done`,
    });
  if (found.available_micros < 0)
    throw new Problem('ACCOUNT_CLOSE_NOT_ALLOWED', {
      message: 'The balance is below zero. Pay the amount owed first.',
    });
}

/**
 * Within the 30 days. What ended stays ended: people sign in anew and make new keys. Problems: ACCOUNT_NOT_FOUND,
 * COMPANY_NAME_EXISTS when the name was taken meanwhile.
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
  await writeToOwners(tx, who.kernel, account, WORDS.reopened(account.company_name));
  await announceAccount(tx, account_id, status);
}

/** Open and there, or not found. */
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
