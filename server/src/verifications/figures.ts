/** Reads the figures of a place for the signs of the guard. */
import { MIN_SENT, type PlaceFigures } from '../guard/guard.ts';
import { sql, type Tx } from '../kernel/db/db.ts';

export interface Place {
  readonly account_id: string;
  readonly range: string;
  readonly neighbors: string;
  readonly country: string;
}

/** The codes to all countries are many rows, so only every tenth code above the minimum volume reads them. */
const SAMPLED = 10;
const NO_OTHERS = { all_sent: 0, all_before: 0 };

/** The hours of 15 days are at most 360 rows per channel. */
export async function readFigures(tx: Tx, place: Place, kind: 'range' | 'country'): Promise<PlaceFigures> {
  const { account_id } = place;
  const name = kind === 'range' ? place.range : place.country;
  const hour = sql`date_trunc('hour', ${tx.now}::timestamptz, 'UTC')`;
  const figures = await tx.one<Omit<PlaceFigures, 'kind' | 'run' | 'all_sent' | 'all_before'>>(sql`
    with hours as (
      select hour, sum(sent)::int as sent, sum(verified)::int as verified from code_counts
      where account_id = ${account_id} and kind = ${kind} and place = ${name}
        and hour > ${tx.now}::timestamptz - interval '15 days'
      group by hour
    ), earlier as (
      -- Codes that were unused when the place was allowed again do not count a second time.
      select coalesce(max(lift_sends), 0) as unused from account_code_stops
      where account_id = ${account_id} and traffic = 'codes' and place = ${name} and lift_date >= ${hour}
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
           coalesce(max(sent) filter (where hour < ${hour}), 0) as busiest
    from hours`);
  const { sent } = figures;
  const all = sent >= MIN_SENT[kind] && sent % SAMPLED === 0 ? await readAll(tx, account_id) : NO_OTHERS;
  return { kind, ...figures, ...all, run: kind === 'range' ? await findLongestRun(tx, account_id, place) : 0 };
}

const readAll = (tx: Tx, account_id: string) =>
  tx.one<typeof NO_OTHERS>(sql`
    select coalesce(sum(sent) filter (where hour = date_trunc('hour', ${tx.now}::timestamptz, 'UTC')), 0)::int
             as all_sent,
           coalesce(sum(sent) filter (where hour < date_trunc('hour', ${tx.now}::timestamptz, 'UTC')), 0)::int
             as all_before
    from code_counts
    where account_id = ${account_id} and kind = 'country' and hour > ${tx.now}::timestamptz - interval '15 days'`);

/** Returns the longest run of consecutive numbers in the range since it was last allowed. Limits keep the rows few. */
const findLongestRun = async (tx: Tx, account_id: string, { neighbors, range }: Place): Promise<number> =>
  (
    await tx.one<{ run: number }>(sql`
      select coalesce(max(length), 0)::int as run from (
        select count(*) as length from (
          select number - row_number() over (order by number) as start from (
            select distinct phone::bigint as number from sent_codes
            where account_id = ${account_id} and neighbors = ${neighbors}
              and create_date > greatest(${tx.now}::timestamptz - interval '1 hour', (
                select max(lift_date) from account_code_stops
                where account_id = ${account_id} and traffic = 'codes' and place = ${range} and refuses))
          ) numbers
        ) runs group by start
      ) lengths`)
  ).run;
