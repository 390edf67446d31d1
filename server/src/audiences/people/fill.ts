/**
 * Gives a person to every contact that was stored before people existed, in batches. The accounts that are not finished
 * are in `people_fills`.
 */
import { sql, type Tx } from '../../kernel/db/db.ts';
import { job } from '../../kernel/jobs/jobs.ts';
import type { Kernel } from '../../kernel/kernel.ts';

export const fillJob = job<object>('people.fill', { cron: '* * * * *', expire_seconds: 3_600 });
const PORTION = 5_000;

export async function fillPeople({ db }: Kernel, _: object, signal: AbortSignal): Promise<void> {
  const accounts = await db.rows<{ account_id: string }>(sql`select account_id from people_fills order by account_id`);
  for (const { account_id } of accounts)
    while (await db.tx((tx) => fillPortion(tx, account_id), 'by index'))
      if (signal.aborted) throw new Error('stopped before all people were stored');
}

/** Returns whether the account has more contacts to read. */
async function fillPortion(tx: Tx, account_id: string): Promise<boolean> {
  const fill = await tx.maybeOne<{ audience_id: string | null; contact_id: string | null }>(sql`
    select audience_id, contact_id from people_fills where account_id = ${account_id} for update skip locked`);
  if (!fill) return false;
  const { audience_id, contact_id } = fill;
  const first = '00000000-0000-0000-0000-000000000000';
  const last = await tx.maybeOne<{ audience_id: string; id: string; count: number }>(sql`
    with page as (
      select audience_id, id, number, country, first_name, last_name, custom1, custom2, create_date, update_date
      from contacts where account_id = ${account_id}
        and (audience_id, id) > (${audience_id ?? first}::uuid, ${contact_id ?? first}::uuid)
      order by audience_id, id limit ${PORTION}
    ), stored as (
      insert into people as p (account_id, id, number, country, first_name, last_name, custom1, custom2, create_date,
        update_date)
      select distinct on (number) ${account_id}::uuid, id, number, country, first_name, last_name, custom1, custom2,
             create_date, update_date
      from page order by number, update_date desc
      on conflict (account_id, number) do update set
        first_name = coalesce(nullif(excluded.first_name, ''), p.first_name),
        last_name = coalesce(nullif(excluded.last_name, ''), p.last_name),
        custom1 = coalesce(nullif(excluded.custom1, ''), p.custom1),
        custom2 = coalesce(nullif(excluded.custom2, ''), p.custom2), update_date = excluded.update_date
      where excluded.update_date > p.update_date
    )
    select audience_id, id, (select count(*) from page) as count from page
    order by audience_id desc, id desc limit 1`);
  if (!last || last.count < PORTION) {
    await tx.run(sql`delete from people_fills where account_id = ${account_id}`);
    return false;
  }
  await tx.run(sql`
    update people_fills set audience_id = ${last.audience_id}, contact_id = ${last.id}
    where account_id = ${account_id}`);
  return true;
}
