/**
 * Determines whether an account may send, and to whom. During a trial in the US or Canada, an account can send only to
 * the acting user's verified number. API keys, and campaigns without an author, can send only to the owner's. Campaigns
 * and the gate that checks messages use this file.
 */
import { type Account, RESTRICTED_COUNTRIES } from '@parley/contract/accounts/accounts.ts';
import { Problem } from '@parley/contract/problem.ts';
import { type Queryable, sql, type Tx } from '../kernel/db/db.ts';
import { phoneCountry } from '../verify/verify.ts';
import { inTrial, trialCountry, trialDays } from './queries.ts';

interface SendingAccount {
  account_id: string;
  status: string;
  currency: Account['currency'];
  country_code: string;
  /** For a sub-account, the country of its parent account. */
  trial_country_code: string;
  closed: boolean;
  trial: boolean;
  trial_over: boolean;
  /** True: the account owes money, and all reminders have passed. */
  payment_overdue: boolean;
  /** False: the account has no carrier lookups, so no networks of numbers are known. */
  has_lookups: boolean;
}

export const findSendingAccount = (db: Queryable, account_id: string) =>
  db.maybeOne<SendingAccount>(sql`
    select a.id as account_id, a.status, b.currency, a.country_code, a.close_date is not null as closed,
           ${inTrial} as trial, ${trialCountry} as trial_country_code, ${inTrial} and ${trialDays} <= 0 as trial_over,
           a.payment_overdue, exists (select from number_lookups l where l.account_id = ${account_id}) as has_lookups
    from accounts a join balances b on b.account_id = a.id where a.id = ${account_id}`);

/**
 * Returns why the account cannot send, or null. ACCOUNT_UNVERIFIED: it is not verified, or is blocked or closed.
 * TRIAL_ENDED: its trial has ended. PAYMENT_OVERDUE: it owes money, and all reminders have passed.
 */
export function sendingProblem(
  account: SendingAccount | null,
): 'ACCOUNT_UNVERIFIED' | 'TRIAL_ENDED' | 'PAYMENT_OVERDUE' | null {
  if (account?.status !== 'VERIFIED' || account.closed) return 'ACCOUNT_UNVERIFIED';
  if (account.payment_overdue) return 'PAYMENT_OVERDUE';
  return account.trial_over ? 'TRIAL_ENDED' : null;
}

/** Stops or allows sending because of an overdue balance. Only billing calls it. */
export const setPaymentOverdue = (tx: Tx, account_id: string, is_overdue: boolean) =>
  tx.run(sql`update accounts set payment_overdue = ${is_overdue}, update_date = ${tx.now} where id = ${account_id}`);

export async function requireSending(db: Queryable, account_id: string): Promise<SendingAccount> {
  const account = await findSendingAccount(db, account_id);
  const code = sendingProblem(account);
  if (code) throw new Problem(code);
  return account!;
}

/**
 * Returns the only recipient that a restricted trial allows, or an empty string if the user has no number. Returns null
 * if there is no restriction.
 */
export async function findAllowedRecipient(
  db: Queryable,
  { account_id, trial, trial_country_code }: SendingAccount,
  user_id: string | null,
): Promise<string | null> {
  if (!trial || !RESTRICTED_COUNTRIES.includes(trial_country_code)) return null;
  const user = await db.maybeOne<{ phone_number: string }>(sql`
    select l.phone_number from users u join logins l on l.id = u.login_id
    where u.account_id = ${account_id} and l.status = 'PHONE_VERIFIED' and l.phone_number is not null
      and case when ${user_id}::uuid is null then u.is_owner else u.id = ${user_id}::uuid end
    order by u.id limit 1`);
  const country = phoneCountry(user?.phone_number);
  return country && !RESTRICTED_COUNTRIES.includes(country) ? null : (user?.phone_number ?? '');
}
