/** Stores the dates of people from before `person_dates` existed, in batches. */
import { sql, type Tx } from '../../kernel/db/db.ts';
import { job } from '../../kernel/jobs/jobs.ts';
import type { Kernel } from '../../kernel/kernel.ts';

export const fillDatesJob = job<object>('people.fill_dates', { cron: '* * * * *', expire_seconds: 3_600 });
const PORTION = 5_000;

export async function fillDates({ db }: Kernel, _: object, signal: AbortSignal): Promise<void> {
  const accounts = await db.rows<{ account_id: string }>(sql`select account_id from person_date_fills`);
  for (const { account_id } of accounts)
    while (await db.tx((tx) => fillPortion(tx, account_id), 'by index'))
      if (signal.aborted) throw new Error('stopped before all dates were stored');
}

/** Returns whether the account has more people to read. A date that has changed since then is not replaced. */
async function fillPortion(tx: Tx, account_id: string): Promise<boolean> {
  const fill = await tx.maybeOne<{ person_id: string | null }>(sql`
    select person_id from person_date_fills where account_id = ${account_id} for update skip locked`);
  if (!fill) return false;
  const last = await tx.maybeOne<{ id: string; count: number }>(sql`
    with page as (
      select id, fields from people
      where account_id = ${account_id} and id > ${fill.person_id ?? '00000000-0000-0000-0000-000000000000'}
      order by id limit ${PORTION}
    ), stored as (
      insert into person_dates (account_id, person_id, key, date)
      select ${account_id}::uuid, p.id, f.key, d.date
      from page p join contact_fields f on f.account_id = ${account_id} and f.kind = 'date'
      cross join lateral (select existing_date(p.fields ->> f.key) as date) d
      where d.date is not null
      on conflict do nothing
    )
    select id, (select count(*) from page) as count from page order by id desc limit 1`);
  const isDone = !last || last.count < PORTION;
  await tx.run(
    isDone
      ? sql`delete from person_date_fills where account_id = ${account_id}`
      : sql`update person_date_fills set person_id = ${last.id} where account_id = ${account_id}`,
  );
  return !isDone;
}
