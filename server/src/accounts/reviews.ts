/**
 * Verification of companies: a company submits a form, and an operator decides. A company has at most one open review,
 * and decisions are final.
 */
import type { AccountReview, VerificationForm } from '@parley/contract/accounts/company.ts';
import { Problem } from '@parley/contract/problem.ts';
import { newId } from '../kernel/clock.ts';
import { type Queryable, type Tx, violates } from '../kernel/db/db.ts';
import { enqueue } from '../kernel/jobs/jobs.ts';
import { record } from '../kernel/security/audit.ts';
import type { Actor } from '../kernel/security/auth.ts';
import { announceAccount, announceRights, type Who } from './announce.ts';
import { requireCountry } from './company.ts';
import { lockAccount } from './lifecycle.ts';
import { type LockedAccount, setStatus } from './lifecycle_queries.ts';
import { mailOwners, WORDS } from './mails.ts';
import * as queries from './review_queries.ts';
import { trialCredit, writeTrialStarted } from './trial.ts';
import { vatNumberChanged } from './vat_numbers.ts';

export const listVerifications = (db: Queryable, actor: Actor): Promise<AccountReview[]> =>
  queries.selectReviews(db, actor.account_id);

/** UNVERIFIED -> FORM_SUBMITTED. The company's details are replaced with those on the form. */
export async function submitVerification(
  tx: Tx,
  who: Who & { actor: Actor },
  form: VerificationForm,
): Promise<AccountReview> {
  const { account_id } = who.actor;
  requireCountry(form.country_code);
  const account = await lockAccount(tx, account_id);
  if (account.status !== 'UNVERIFIED') throw new Problem('ACCOUNT_REVIEW_NOT_ALLOWED');
  if (!(await queries.hasOwnerPhone(tx, account_id)))
    throw new Problem('ACCOUNT_REVIEW_NOT_ALLOWED', { message: 'The owner must verify a phone number first' });
  const id = newId();
  try {
    await queries.applyForm(tx, account_id, form);
  } catch (error) {
    throw violates(error) ? new Problem('COMPANY_NAME_EXISTS') : error;
  }
  await queries.insertReview(tx, { account_id, id, form, submitted_by: who.actor.user_id! });
  const status = await setStatus(tx, account_id, 'FORM_SUBMITTED');
  record(tx, who, {
    action: 'account.form_submitted',
    target: { type: 'account', id: account_id, name: form.company_name },
  });
  await mailOwners(
    tx,
    who.kernel,
    { id: account_id, company_name: form.company_name },
    WORDS.formReceived(form.company_name),
  );
  await announceAccount(tx, account_id, status);
  return (await queries.review(tx, id))!;
}

/**
 * FORM_SUBMITTED -> VERIFIED. The first approval grants the trial credit. Throws REQUEST_NOT_FOUND or ALREADY_DECIDED.
 */
export async function approveAccount(tx: Tx, who: Who, review_id: string): Promise<AccountReview> {
  const account = await lockOpen(tx, review_id);
  // Approves the form that was reviewed, even if the company's details have changed in the meantime.
  const { form } = (await queries.review(tx, review_id))!;
  await queries.applyForm(tx, account.id, form);
  await enqueue(tx, vatNumberChanged, { account_id: account.id });
  await queries.reopenWelcome(tx, account.id);
  account.company_name = form.company_name;
  const status = await setStatus(tx, account.id, 'VERIFIED');
  const words = WORDS.approved(account.company_name);
  const review = await decide(tx, who, account, review_id, 'APPROVED', '', words);
  if (account.tags.includes('PAID0')) await enqueue(tx, trialCredit, { account_id: account.id });
  await writeTrialStarted(tx, who.kernel, account);
  await announceAccount(tx, account.id, status);
  announceRights(tx, account.id, null);
  return review;
}

/** FORM_SUBMITTED -> UNVERIFIED. Throws REQUEST_NOT_FOUND, ALREADY_DECIDED, or REASON_REQUIRED. */
export const rejectAccount = (tx: Tx, who: Who, review_id: string, reason: string): Promise<AccountReview> =>
  returnForm(tx, who, review_id, 'REJECTED', reason);

/** FORM_SUBMITTED -> UNVERIFIED, with a request for more information. Throws the same problems as a rejection. */
export const requestMoreInfo = (tx: Tx, who: Who, review_id: string, reason: string): Promise<AccountReview> =>
  returnForm(tx, who, review_id, 'INFO_NEEDED', reason);

async function returnForm(
  tx: Tx,
  who: Who,
  review_id: string,
  outcome: 'REJECTED' | 'INFO_NEEDED',
  text: string,
): Promise<AccountReview> {
  const account = await lockOpen(tx, review_id);
  const reason = text.trim();
  if (reason === '') throw new Problem('REASON_REQUIRED');
  const status = await setStatus(tx, account.id, 'UNVERIFIED');
  const words = outcome === 'REJECTED' ? WORDS.rejected : WORDS.infoRequested;
  const review = await decide(tx, who, account, review_id, outcome, reason, words(account.company_name, reason));
  await announceAccount(tx, account.id, status);
  return review;
}

const ACTIONS = {
  APPROVED: 'account.approved',
  REJECTED: 'account.rejected',
  INFO_NEEDED: 'account.more_asked',
} as const;

async function decide(
  tx: Tx,
  who: Who,
  account: LockedAccount,
  review_id: string,
  outcome: keyof typeof ACTIONS,
  reason: string,
  words: ReturnType<(typeof WORDS)['approved']>,
): Promise<AccountReview> {
  await queries.decideReview(tx, account.id, review_id, {
    status: outcome,
    reason,
    reviewer_id: who.actor.user_id,
    reviewer_account_id: who.actor.account_id,
    now: tx.now,
  });
  record(tx, who, {
    action: ACTIONS[outcome],
    account_id: account.id,
    target: { type: 'account', id: account.id, name: account.company_name },
    detail: reason ? { reason } : {},
  });
  await mailOwners(tx, who.kernel, account, words);
  return (await queries.review(tx, review_id))!;
}

/** Like all transitions, locks the account's row first, so that concurrent decisions and blocks wait for each other. */
async function lockOpen(tx: Tx, review_id: string): Promise<LockedAccount> {
  const unlocked = await queries.review(tx, review_id);
  if (!unlocked) throw new Problem('REQUEST_NOT_FOUND');
  const account = await lockAccount(tx, unlocked.account_id);
  const review = (await queries.review(tx, review_id))!;
  if (review.status !== 'OPEN') throw new Problem('ALREADY_DECIDED');
  if (account.status === 'BLOCKED')
    throw new Problem('ALREADY_DECIDED', { message: 'The account is blocked. Unblock it first.' });
  return account;
}
