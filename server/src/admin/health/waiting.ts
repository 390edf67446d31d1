/** The messages that are due, by connection and traffic class. */
import type { Health } from '@parley/contract/admin/customers.ts';
import { TRAFFIC_CLASSES } from '@parley/contract/messages/traffic_classes.ts';
import { type Db, sql } from '../../kernel/db/db.ts';
import { trafficClass } from '../../messages/messages.ts';

type Waiting = Health['waiting'][number];
type Row = Omit<Waiting, 'traffic_class'> & { priority: number };

/** The limits of the counts: pairs of an account and a class, rows in total, and the minimum of rows for each pair. */
const MAX_PAIRS = 500;
const COUNT_TOTAL = 20_000;
const COUNT_MIN = 40;

export async function listWaiting(db: Db): Promise<Waiting[]> {
  const rows = await db.tx((tx) => tx.rows<Row>(selectWaiting()), 'by index');
  const lines = new Map<string, Waiting>();
  for (const { priority, ...row } of rows) {
    const traffic_class = trafficClass(priority);
    const key = `${row.connection_id} ${traffic_class}`;
    const line = lines.get(key) ?? { ...row, traffic_class, count: 0 };
    line.count += row.count;
    line.is_minimum ||= row.is_minimum;
    line.oldest_seconds = Math.max(line.oldest_seconds, row.oldest_seconds);
    lines.set(key, line);
  }
  const order = ({ traffic_class }: Waiting) => TRAFFIC_CLASSES.indexOf(traffic_class);
  return [...lines.values()].sort((a, b) => a.connection.localeCompare(b.connection) || order(a) - order(b));
}

/**
 * Steps through the index from account to account (a loose scan) and counts up to a limit, so that the cost does not
 * grow with the queue.
 */
const selectWaiting = () => sql`
  with recursive pair as (
    (select connection_id, priority, account_id, not_before from dispatch
     where connection_id is not null and stage = 'queued'
     order by connection_id, priority, account_id, not_before limit 1)
    union all
    select next.* from pair p cross join lateral (
      select connection_id, priority, account_id, not_before from dispatch
      where stage = 'queued' and (connection_id, priority, account_id) > (p.connection_id, p.priority, p.account_id)
      order by connection_id, priority, account_id, not_before limit 1
    ) next
  ), due as materialized (
    select * from pair where not_before <= now() limit ${MAX_PAIRS}
  ), depth as materialized (
    select greatest(${COUNT_MIN}, ${COUNT_TOTAL} / greatest(1, count(*))) as rows from due
  )
  select due.connection_id, c.name as connection, due.priority, sum(counted.count)::int as count,
    bool_or(counted.count >= (select rows from depth)) as is_minimum,
    greatest(0, extract(epoch from now() - min(due.not_before)))::int as oldest_seconds
  from due join connections c on c.id = due.connection_id
  cross join lateral (
    select count(*) as count from (
      select from dispatch d
      where d.connection_id = due.connection_id and d.stage = 'queued' and d.priority = due.priority
        and d.account_id = due.account_id and d.not_before <= now()
      limit (select rows from depth)
    ) rows
  ) counted
  group by due.connection_id, c.name, due.priority`;
