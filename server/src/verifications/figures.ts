/** Reads the figures of a place for signals.ts. */
import { sql, type Tx } from '../kernel/db/db.ts';
import type { PlaceFigures } from './signals.ts';

export interface Place {
  readonly account_id: string;
  readonly range: string;
  readonly neighbors: string;
  readonly country: string;
}

/** The hours of 15 days are at most 360 rows per channel. */
export async function readFigures(tx: Tx, place: Place, kind: 'range' | 'country'): Promise<PlaceFigures> {
  const { account_id } = place;
  const name = kind === 'range' ? place.range : place.country;
  const hour = sql`date_trunc('hour', ${tx.now}::timestamptz, 'UTC')`;
  const figures = await tx.one<Omit<PlaceFigures, 'kind' | 'run'>>(sql`
    with hours as (
      select hour, sum(sent)::int as sent, sum(verified)::int as verified from code_counts
      where account_id = ${account_id} and kind = ${kind} and place = ${name}
        and hour > ${tx.now}::timestamptz - interval '15 days'
      group by hour
    ), everywhere as (
      select coalesce(sum(sent) filter (where hour = ${hour}), 0)::int as now,
             coalesce(sum(sent) filter (where hour < ${hour}), 0)::int as before
      from code_counts
      where account_id = ${account_id} and kind = 'country' and hour > ${tx.now}::timestamptz - interval '15 days'
    ), earlier as (
      -- Codes that were unused when the place was allowed again do not count a second time.
      select coalesce(max(lift_sends), 0) as unused from account_code_stops
      where account_id = ${account_id} and place = ${name} and lift_date >= ${hour}
    )
    select coalesce(max(sent) filter (where hour = ${hour}), 0) - (select unused from earlier) as sent,
           coalesce(max(sent - verified) filter (where hour = ${hour}), 0) - (select unused from earlier) as unused,
           coalesce(max(sent - verified) filter (
             where hour < ${hour} and hour > ${tx.now}::timestamptz - interval '7 days'), 0) as usual_unused,
           coalesce(sum(sent) filter (where hour < ${hour} and hour >= ${hour} - interval '24 hours'), 0)::int
             as day_sent,
           coalesce(sum(verified) filter (where hour < ${hour} and hour >= ${hour} - interval '24 hours'), 0)::int
             as day_verified,
           coalesce(sum(sent) filter (where hour < ${hour} - interval '24 hours'), 0)::int as before_sent,
           coalesce(sum(verified) filter (where hour < ${hour} - interval '24 hours'), 0)::int as before_verified,
           coalesce(max(sent) filter (where hour < ${hour}), 0) as busiest,
           (select now from everywhere) as all_sent, (select before from everywhere) as all_before
    from hours`);
  return { kind, ...figures, run: kind === 'range' ? await longestRun(tx, account_id, place) : 0 };
}

/** Numbers that differ only in their last four digits, since the range was allowed again. Limits keep them few. */
const longestRun = async (tx: Tx, account_id: string, { neighbors, range }: Place): Promise<number> =>
  (
    await tx.one<{ run: number }>(sql`
      select coalesce(max(length), 0)::int as run from (
        select count(*) as length from (
          select number - row_number() over (order by number) as start from (
            select distinct phone::bigint as number from sent_codes
            where account_id = ${account_id} and neighbors = ${neighbors}
              and create_date > greatest(${tx.now}::timestamptz - interval '1 hour', (
                select max(lift_date) from account_code_stops
                where account_id = ${account_id} and place = ${range} and refuses))
          ) numbers
        ) runs group by start
      ) lengths`)
  ).run;
