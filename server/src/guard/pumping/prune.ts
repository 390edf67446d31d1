/** Deletes counts that are too old for the detection to compare. */
import { type Db, sql } from '../../kernel/db/db.ts';

const KEEP_DAYS = 16;

/**
 * Deletes in batches. Each statement goes from account to account through the index, so it reads no counts that are
 * kept, and an account that no longer sends is also cleared.
 */
export async function pruneCounts(db: Db, signal?: AbortSignal, batch = 10_000): Promise<void> {
  for (let deleted = batch; deleted === batch && !signal?.aborted; )
    deleted = await db.run(sql`
      with recursive accounts as (
        (select account_id from traffic_counts order by account_id limit 1)
        union all
        select (select c.account_id from traffic_counts c where c.account_id > a.account_id
                order by c.account_id limit 1)
        from accounts a where a.account_id is not null
      ), old as (
        select o.* from accounts a
        cross join lateral (
          select c.account_id, c.kind, c.place, c.hour, c.traffic from traffic_counts c
          where c.account_id = a.account_id and c.hour < now() - make_interval(days => ${KEEP_DAYS}::int) limit ${batch}
        ) o limit ${batch}
      )
      delete from traffic_counts c using old o
      where c.account_id = o.account_id and c.kind = o.kind and c.place = o.place and c.hour = o.hour
        and c.traffic = o.traffic`);
}
