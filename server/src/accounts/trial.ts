/** The free trial: credit at the approval, mails before and at the end. Whether it is over is asked of the database, never remembered. */
import { type Db, sql, type Tx } from '../kernel/db/db.ts';
import { job } from '../kernel/jobs/jobs.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { WORDS, writeToOwners } from './mails.ts';
import { inTrial, trialDays } from './queries.ts';

/** Worked in billing, which stands above: at most once for an account, however often it runs. */
export const trialCredit = job<{ account_id: string }>('trial.credit');

const WARNED_DAYS: readonly number[] = [7, 3, 1];
/** Not in the night of the reader. */
const MORNING = 9;

interface OnTrial {
  id: string;
  company_name: string;
  timezone: string;
  days_left: number;
}

// Those that are near their end or a few days past it: what was missed while nothing ran is said late rather than never.
const nearTheEnd = (db: Db): Promise<OnTrial[]> =>
  db.rows<OnTrial>(sql`
    select id, company_name, timezone, days_left from (
      select a.id, a.company_name, a.timezone, ${trialDays} as days_left from accounts a
      where 'PAID0' = any(a.tags) and not a.admin_created and a.kind = 'CUSTOMER' and a.close_date is null and a.status <> 'BLOCKED'
        and a.create_date between now() - interval '33 days' and now() - interval '22 days') trial
    where days_left <= 7 order by id`);

/** Every hour: each notice goes out once, in the morning of the account's own day. How many were due. */
export async function writeTrialMails(kernel: Pick<Kernel, 'config' | 'db' | 'clock'>): Promise<number> {
  const now = kernel.clock.now();
  const due = (await nearTheEnd(kernel.db)).filter(
    (account) =>
      (account.days_left <= 0 || WARNED_DAYS.includes(account.days_left)) && hourAt(now, account.timezone) >= MORNING,
  );
  for (const account of due) {
    const ended = account.days_left <= 0;
    const words = ended
      ? WORDS.trialEnded(account.company_name)
      : WORDS.trialEnding(account.company_name, account.days_left);
    await kernel.db.tx((tx) =>
      writeToOwners(tx, kernel, account, {
        ...words,
        dedupe_key: `trial ${ended ? 'ended' : account.days_left} ${account.id}`,
      }),
    );
  }
  return due.length;
}

/** At the approval, once: before it nothing could be sent. */
export async function writeTrialStarted(
  tx: Tx,
  kernel: Pick<Kernel, 'config'>,
  { id, company_name }: { id: string; company_name: string },
): Promise<void> {
  const trial = await tx.maybeOne<{ days_left: number }>(sql`
    select ${trialDays} as days_left from accounts a where a.id = ${id} and ${inTrial} and ${trialDays} > 0`);
  if (trial)
    await writeToOwners(
      tx,
      kernel,
      { id, company_name },
      {
        ...WORDS.trialStarted(company_name, trial.days_left),
        dedupe_key: `trial started ${id}`,
      },
    );
}

function hourAt(now: Date, timeZone: string): number {
  try {
    return Number(new Intl.DateTimeFormat('en', { timeZone, hour: '2-digit', hourCycle: 'h23' }).format(now));
  } catch {
    // A zone that this machine does not know must not keep the others from being told.
    return now.getUTCHours();
  }
}
