/**
 * What an account may send at all, and to whom while it tries: in a trial of the US or Canada only to the number that the person acting has verified,
 * for API keys and campaigns without an author to the owner's. Asked by the gate of messages and by campaigns before they start.
 */
import { type Account, RESTRICTED_COUNTRIES } from '@parley/contract/accounts/accounts.ts';
import { Problem } from '@parley/contract/problem.ts';
import { countryOf } from '../auth/auth.ts';
import { type Queryable, sql } from '../kernel/db/db.ts';
import { inTrial, trialCountry, trialDays } from './queries.ts';

export interface SendingAccount {
  account_id: string;
  status: string;
  currency: Account['currency'];
  country_code: string;
  /** The parent's, for a sub-account in its trial. */
  trial_country_code: string;
  closed: boolean;
  trial: boolean;
  trial_over: boolean;
}

export const sendingAccount = (db: Queryable, account_id: string) =>
  db.maybeOne<SendingAccount>(sql`
    select a.id as account_id, a.status, b.currency, a.country_code, a.close_date is not null as closed, ${inTrial} as trial, ${trialCountry} as trial_country_code,
           ${inTrial} and ${trialDays} <= 0 as trial_over
    from accounts a join balances b on b.account_id = a.id where a.id = ${account_id}`);

/**
 * Why nothing may leave; null when something may. ACCOUNT_UNVERIFIED not approved, blocked or closed; TRIAL_ENDED the
 * trial is over.
 */
export function sendingProblem(account: SendingAccount | null): 'ACCOUNT_UNVERIFIED' | 'TRIAL_ENDED' | null {
  if (account?.status !== 'VERIFIED' || account.closed) return 'ACCOUNT_UNVERIFIED';
  return account.trial_over ? 'TRIAL_ENDED' : null;
}

export async function demandSending(db: Queryable, account_id: string): Promise<SendingAccount> {
  const account = await sendingAccount(db, account_id);
  const code = sendingProblem(account);
  if (code) throw new Problem(code);
  return account!;
}

/** Null: everybody. Otherwise the only number there is, empty when the person has none. Costs nothing outside of a trial. */
export async function onlyNumber(
  db: Queryable,
  { account_id, trial, trial_country_code }: SendingAccount,
  user_id: string | null,
): Promise<string | null> {
  if (!trial || !RESTRICTED_COUNTRIES.includes(trial_country_code)) return null;
  const found = await db.maybeOne<{ phone_number: string }>(sql`
    select l.phone_number from users u join logins l on l.id = u.login_id
    where u.account_id = ${account_id} and l.status = 'PHONE_VERIFIED' and l.phone_number is not null
      and case when ${user_id}::uuid is null then u.is_owner else u.id = ${user_id}::uuid end
    order by u.id limit 1`);
  const country = countryOf(found?.phone_number);
  return country && !RESTRICTED_COUNTRIES.includes(country) ? null : (found?.phone_number ?? '');
}
