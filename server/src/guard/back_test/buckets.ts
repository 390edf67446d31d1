/**
 * Adds up the intervals of a limit. The messages are first added up by buckets of an hour or 5 minutes in any order,
 * which several processes of PostgreSQL do together. Then only the messages of the bucket in which an interval reaches
 * its limit are read in their order: all before are allowed, and all after are blocked.
 */
import type { LimitInterval } from '@parley/contract/guard/limits.ts';
import { ID_MARGIN_MS } from '../../kernel/clock.ts';
import { raw, type Sql, sql } from '../../kernel/db/db.ts';
import { binByLength, binTime } from './bins.ts';

/** Buckets for intervals of an hour, and for longer ones. */
const SHORT = { length: '5 minutes', ms: 300_000 };
const LONG = { length: '1 hour', ms: 3_600_000 };

/** Whether the intervals are long enough. */
export const hasBuckets = (interval: LimitInterval): boolean => interval !== 'minute';

interface Addition {
  readonly where: Sql;
  /** The amount that a message adds to a counter. */
  readonly amount: Sql;
  readonly limit: number;
  readonly interval: LimitInterval;
}

/** Common table expressions that end with `intervals`, as in `Counting`. */
export function addUpBuckets({ where, amount, limit, interval }: Addition): Sql {
  const { length, ms } = interval === 'hour' ? SHORT : LONG;
  const bucket = binByLength(length, 'm.create_date');
  const start = binTime(interval, 'bucket');
  const above = (total: Sql) => sql`${total} > ${limit}::bigint`;
  return sql`
    sums as materialized (
      select ${bucket} as bucket, count(*) as messages, sum(${amount}) as used, sum(m.price_micros)::bigint as micros,
             count(*) filter (where m.status in ('delivered', 'read')) as delivered, max(m.create_date) as last_date
      from messages m where ${where} group by 1
    ), running as materialized (
      select *, sum(used) over (partition by start order by bucket) as total
      from (select *, ${start} as start from sums) s
    ), crossing as materialized (
      select bucket, start, total - used as before from running
      where ${above(raw('total'))} and not (${above(raw('total - used'))})
    ), counted as (
      select c.start, m.id, m.price_micros, m.is_delivered, m.amount,
             c.before + sum(m.amount) over (partition by c.start order by m.id rows unbounded preceding) as used
      from crossing c cross join lateral (
        select m.id, m.price_micros, m.status in ('delivered', 'read') as is_delivered, ${amount} as amount
        from messages m
        where ${where} and m.id >= ${idFrom(raw(`extract(epoch from c.bucket)::bigint * 1000 - ${ID_MARGIN_MS}`))}
          and m.id < ${idFrom(raw(`extract(epoch from c.bucket)::bigint * 1000 + ${ms + ID_MARGIN_MS}`))}
          and ${bucket} = c.bucket
        -- Reads each bucket by its IDs, and never all messages of the account.
        offset 0
      ) m
    ), crossed as materialized (
      select start, count(*) as blocked, sum(price_micros)::bigint as micros,
             count(*) filter (where is_delivered) as delivered,
             (min(id::text) filter (where not (${above(raw('used - amount'))})))::uuid as first_id
      from counted where ${above(raw('used'))} group by 1
    ), later as materialized (
      select start, sum(messages) as messages, max(total)::bigint as used, max(last_date) as last_date,
             sum(messages) filter (where ${above(raw('total - used'))}) as blocked,
             sum(micros) filter (where ${above(raw('total - used'))}) as micros,
             sum(delivered) filter (where ${above(raw('total - used'))}) as delivered
      from running group by 1
    ), intervals as materialized (
      select start, '' as scope, l.messages::bigint as messages, l.used,
             (coalesce(l.blocked, 0) + coalesce(c.blocked, 0))::bigint as blocked,
             (coalesce(l.micros, 0) + coalesce(c.micros, 0))::bigint as blocked_micros,
             (coalesce(l.delivered, 0) + coalesce(c.delivered, 0))::bigint as delivered, c.first_id, l.last_date
      from later l left join crossed c using (start)
    )`;
}

/** The lowest ID of this time. */
const idFrom = (ms: Sql): Sql => sql`(lpad(to_hex(${ms}), 12, '0') || repeat('0', 20))::uuid`;
