/** The free trial, its credit, and its emails. Whether a trial has ended is computed by the database and not stored. */
import { type Db, sql, type Tx } from '../kernel/db/db.ts';
import { job } from '../kernel/jobs/jobs.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { announceAccount } from './announce.ts';
import { mailOwners, WORDS } from './mails.ts';
import { type AccountStatus, inTrial, trialDays } from './queries.ts';

/**
 * Implemented by `billing`, a later module. It grants the credit once per account, even if the job runs more than once.
 */
export const trialCredit = job<{ account_id: string }>('trial.credit');

const REMINDER_DAYS: readonly number[] = [7, 3, 1];
/** Emails are sent from this hour on, in the account's local time. */
const MORNING = 9;

interface OnTrial {
  id: string;
  company_name: string;
  timezone: string;
  days_left: number;
}

// Includes trials that ended in the last few days, so that emails missed during downtime are sent late rather than
// never.
const selectEnding = (db: Db): Promise<OnTrial[]> =>
  db.rows<OnTrial>(sql`
    select id, company_name, timezone, days_left from (
      select a.id, a.company_name, a.timezone, ${trialDays} as days_left from accounts a
      where 'PAID0' = any(a.tags) and not a.admin_created and a.kind = 'CUSTOMER' and a.close_date is null
        and a.status <> 'BLOCKED'
        and a.create_date between now() - interval '33 days' and now() - interval '22 days') trial
    where days_left <= 7 order by id`);

/**
 * Runs every hour and sends each email once, in the morning in the account's time zone. Returns the number of accounts
 * that were due an email.
 */
export async function writeTrialMails(kernel: Pick<Kernel, 'config' | 'db' | 'clock'>): Promise<number> {
  const now = kernel.clock.now();
  const due = (await selectEnding(kernel.db)).filter(
    (account) =>
      (account.days_left <= 0 || REMINDER_DAYS.includes(account.days_left)) && hourAt(now, account.timezone) >= MORNING,
  );
  for (const account of due) {
    const ended = account.days_left <= 0;
    const words = ended
      ? WORDS.trialEnded(account.company_name)
      : WORDS.trialEnding(account.company_name, account.days_left);
    await kernel.db.tx((tx) =>
      mailOwners(tx, kernel, account, {
        ...words,
        dedupe_key: `trial ${ended ? 'ended' : account.days_left} ${account.id}`,
      }),
    );
  }
  return due.length;
}

/** Sent once, when the account is approved, since it cannot send messages before then. */
export async function writeTrialStarted(
  tx: Tx,
  kernel: Pick<Kernel, 'config'>,
  { id, company_name }: { id: string; company_name: string },
): Promise<void> {
  const trial = await tx.maybeOne<{ days_left: number }>(sql`
    select ${trialDays} as days_left from accounts a where a.id = ${id} and ${inTrial} and ${trialDays} > 0`);
  if (trial)
    await mailOwners(
      tx,
      kernel,
      { id, company_name },
      {
        ...WORDS.trialStarted(company_name, trial.days_left),
        dedupe_key: `trial started ${id}`,
      },
    );
}

/** Ends the trial of an account that has paid. Open pages notice immediately. */
export async function endTrial(tx: Tx, account_id: string): Promise<void> {
  const account = await tx.maybeOne<{ status: AccountStatus }>(sql`
    update accounts set tags = array_remove(tags, 'PAID0'), update_date = ${tx.now}
    where id = ${account_id} and 'PAID0' = any(tags) returning status`);
  if (account) await announceAccount(tx, account_id, account.status);
}

function hourAt(now: Date, timeZone: string): number {
  try {
    return Number(new Intl.DateTimeFormat('en', { timeZone, hour: '2-digit', hourCycle: 'h23' }).format(now));
  } catch {
    // An unknown time zone must not keep other accounts from getting their emails.
    return now.getUTCHours();
  }
}
