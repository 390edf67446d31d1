/**
 * What is read from the database when Prometheus asks: queues, carriers, events, mails. One statement each, cheap enough for every few
 * seconds; every process of a Parley answers the same, so alerts take the maximum. Counters live where they are counted.
 */
import { type Sql, sql } from './kernel/db/db.ts';
import type { Kernel } from './kernel/kernel.ts';
import { metrics } from './kernel/metrics.ts';

interface Reading {
  name: string;
  help: string;
  labels: readonly string[];
  /** Rows of the labels and `value`. */
  query: Sql;
}

const READINGS: readonly Reading[] = [
  {
    name: 'msg_queue_depth',
    help: 'Messages that wait to be sent or for the answer of a carrier',
    labels: ['channel', 'stage'],
    query: sql`select channel, stage, count(*)::int as value from dispatch group by channel, stage`,
  },
  {
    name: 'msg_queue_age_seconds',
    help: 'How long the message that is due longest has been due',
    labels: ['channel'],
    query: sql`
      select channel, extract(epoch from now() - min(not_before))::float8 as value from dispatch
      where stage = 'queued' and not_before <= now() group by channel`,
  },
  {
    name: 'submit_ambiguous',
    help: 'Messages of which nobody knows yet whether the carrier took them',
    labels: [],
    query: sql`select count(*)::int as value from dispatch where stage = 'submitting' and unknown_date is not null`,
  },
  {
    name: 'smpp_binds',
    help: 'Lines to carriers by state',
    labels: ['connection', 'state'],
    query: sql`
      select c.name as connection, b.state, count(*)::int as value
      from binds b join connections c on c.id = b.connection_id group by c.name, b.state`,
  },
  {
    name: 'smpp_window_in_flight',
    help: 'Submissions that wait for the answer of a carrier',
    labels: ['connection'],
    query: sql`
      select c.name as connection, sum(b.in_flight)::int as value
      from binds b join connections c on c.id = b.connection_id group by c.name`,
  },
  {
    name: 'dlr_unmatched',
    help: 'Receipts that belong to no known message yet',
    labels: [],
    query: sql`select count(*)::int as value from unmatched_reports`,
  },
  {
    name: 'outbox_lag_seconds',
    help: 'Age of the oldest event that has no position yet',
    labels: [],
    // The first 48 bits of an id are its milliseconds (RFC 9562, version 7).
    query: sql`
      select greatest(0, extract(epoch from now())
        - (('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint / 1000.0))::float8 as value
      from events where seq is null order by id limit 1`,
  },
  {
    name: 'ledger_mismatch',
    help: 'Accounts and holds whose money did not add up at the last check',
    labels: [],
    query: sql`select mismatch_count as value from ledger_checks`,
  },
  {
    name: 'ledger_check_age_seconds',
    help: 'How long ago that was',
    labels: [],
    query: sql`select greatest(0, extract(epoch from now() - check_date))::float8 as value from ledger_checks`,
  },
  {
    name: 'mails_waiting',
    help: 'Mails in the outbox',
    labels: [],
    query: sql`select count(*)::int as value from mails where status = 'waiting'`,
  },
  {
    name: 'pg_oldest_xmin_seconds',
    help: 'Age of the oldest transaction, which keeps dead rows from being removed',
    labels: [],
    query: sql`
      select coalesce(extract(epoch from now() - min(xact_start)), 0)::float8 as value from pg_stat_activity
      where backend_xmin is not null and datname = current_database()`,
  },
];

/** Called before each answer to Prometheus. A reading that fails is left out; the others are given. */
export async function measure(kernel: Kernel): Promise<void> {
  metrics
    .gauge('db_pool_waiting', 'Requests of this process that wait for a database connection')
    .set(kernel.db.pool.waitingCount);
  for (const { name, help, labels, query } of READINGS) {
    const gauge = metrics.gauge<string>(name, help, labels);
    try {
      const rows = await kernel.db.rows<Record<string, string> & { value: number }>(query);
      gauge.reset();
      for (const row of rows) {
        const values = Object.fromEntries(labels.map((label) => [label, String(row[label])]));
        gauge.set(values, row.value);
      }
    } catch (error) {
      gauge.reset();
      kernel.log.warn({ err: error, metric: name }, 'not measured');
    }
  }
}
