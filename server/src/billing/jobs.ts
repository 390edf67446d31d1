/** Twice an hour one worker asks of all accounts what `doctor` asks about money, so that nobody has to think of asking. */
import { join, sql } from '../kernel/db.ts';
import { type JobWork, job, work } from '../kernel/jobs.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { billingChecks } from './check.ts';

const check = job('billing.check', { cron: '11,41 * * * *', retry: 0, expire_seconds: 600 });

/** Changes nothing but what is said about it. One statement, so one moment. */
export async function checkLedgers({ db, log }: Kernel): Promise<number> {
  const broken = join(
    billingChecks.map((one) => sql`(select count(*) from (${one.sql}) broken)`),
    ' + ',
  );
  const { mismatch_count } = await db.one<{ mismatch_count: number }>(sql`
    update ledger_checks set mismatch_count = ${broken}, check_date = ${db.clock.now()} returning mismatch_count`);
  if (mismatch_count > 0) log.error({ mismatch_count }, 'money does not add up: npm run doctor says where');
  return mismatch_count;
}

export const jobs: readonly JobWork[] = [work(check, async (kernel) => void (await checkLedgers(kernel)))];
