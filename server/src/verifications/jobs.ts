/** Jobs that expire codes and delete old rows. */
import type { Db } from '../kernel/db/db.ts';
import { sql } from '../kernel/db/db.ts';
import { failpoint } from '../kernel/failpoint.ts';
import { type JobWork, job, work } from '../kernel/jobs/jobs.ts';
import { mailStop } from './mails.ts';
import * as queries from './queries.ts';
import { endStops, reportStop } from './stops.ts';
import { close } from './verifications.ts';

const BATCH = 500;
const PRUNE_BATCH = 5_000;

const expire = job('verifications.expire', { cron: '* * * * *', retry: 0, expire_seconds: 300 });
const prune = job('verifications.prune', { cron: '41 * * * *', retry: 0, expire_seconds: 1_800 });

export const jobs: readonly JobWork[] = [
  work(expire, async ({ db }, _, signal) => {
    await expireAll(db, signal);
    await endStops(db, signal);
  }),
  work(reportStop, async (kernel, ref) => {
    await kernel.db.tx(async (tx) => {
      await mailStop(tx, kernel, ref);
      failpoint('before_code_stop_mail');
    });
    failpoint('after_code_stop_mail');
  }),
  work(prune, ({ db }, _, signal) => pruneOld(db, signal)),
];

export async function expireAll(db: Db, signal?: AbortSignal): Promise<void> {
  let expired = BATCH;
  while (expired === BATCH && !signal?.aborted)
    expired = await db.tx(async (tx) => {
      const codes = await queries.expireCodes(tx, queries.TABLES.live, BATCH);
      await close(tx, codes);
      return codes.length;
    });
  for (let count = BATCH; count === BATCH && !signal?.aborted; )
    count = (await db.tx((tx) => queries.expireCodes(tx, queries.TABLES.test, BATCH))).length;
}

async function pruneOld(db: Db, signal: AbortSignal): Promise<void> {
  const repeatUntilDone = async (remove: () => Promise<number>) => {
    while (!signal.aborted && (await remove()) === PRUNE_BATCH);
  };
  for (const table of Object.values(queries.TABLES))
    await repeatUntilDone(() =>
      db.run(sql`
        delete from ${table} where (account_id, id) in (
          select account_id, id from ${table} where create_date < now() - interval '30 days' limit ${PRUNE_BATCH})`),
    );
  // Range counts are needed for 15 days. Country counts are needed longer, for the conversion.
  await repeatUntilDone(() =>
    db.run(sql`
      delete from code_counts where ctid = any(array(
        select ctid from code_counts
        where hour < now() - case kind when 'range' then interval '16 days' else interval '400 days' end
        limit ${PRUNE_BATCH}))`),
  );
  await db.run(sql`delete from account_code_stops where lift_date < now() - interval '90 days'`);
}
