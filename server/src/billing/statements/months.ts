/** Stores the sums of each month after it has ended, and sends the statements. */
import type { Clock } from '../../kernel/clock.ts';
import { enqueue, job } from '../../kernel/jobs/jobs.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { findChoices } from '../payments/settings.ts';
import { listUncountedAccounts, storeMonths } from './queries.ts';
import { monthKey } from './statements.ts';

/** Hours after midnight in UTC, because a transaction that began before it may commit later. */
const WAIT_MS = 3_600_000;
const BATCH = 500;

export const monthsJob = job('billing.months', { cron: '40 1 * * *', expire_seconds: 3_600 });
export const statementReady = job<{ account_id: string; month: string }>('billing.statement_ready', { retry: 10 });

/** The first day of the month in which the books of the month before it are complete. */
const booksUntil = (clock: Clock): string => `${monthKey(new Date(clock.now().getTime() - WAIT_MS))}-01`;

export async function storeEndedMonths({ db }: Pick<Kernel, 'db'>): Promise<void> {
  const until = booksUntil(db.clock);
  const month = monthKey(new Date(new Date(`${until}T00:00:00Z`).getTime() - 1));
  for (let after: string | null = null; ; ) {
    const accounts = await listUncountedAccounts(db, until, after, BATCH);
    for (const { account_id } of accounts)
      await db.tx(async (tx) => {
        if (!(await storeMonths(tx, account_id, until))) return;
        if ((await findChoices(tx, account_id)).sends_statements)
          await enqueue(tx, statementReady, { account_id, month });
      });
    if (accounts.length < BATCH) return;
    after = accounts.at(-1)!.account_id;
  }
}
