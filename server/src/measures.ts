/**
 * Gauges that are read from the database when Prometheus scrapes: queues, carriers, events, and emails. Each gauge
 * takes one statement that is cheap enough for a scrape every few seconds. All processes report the same values, so
 * alerts use the maximum. Counters are defined where they are incremented.
 */
import { type Sql, sql } from './kernel/db/db.ts';
import type { Kernel } from './kernel/kernel.ts';
import { metrics } from './kernel/metrics.ts';

interface Reading {
  name: string;
  help: string;
  labels: readonly string[];
  /** Returns one row per series, with its labels and `value`. */
  query: Sql;
}

const READINGS: readonly Reading[] = [
  {
    name: 'msg_queue_depth',
    help: 'Messages waiting to be sent or for a response from a carrier',
    labels: ['channel', 'stage'],
    query: sql`select channel, stage, count(*)::int as value from dispatch group by channel, stage`,
  },
  {
    name: 'msg_queue_age_seconds',
    help: 'Age of the oldest message that is due',
    labels: ['channel'],
    query: sql`
      select channel, extract(epoch from now() - min(not_before))::float8 as value from dispatch
      where stage = 'queued' and not_before <= now() group by channel`,
  },
  {
    name: 'submit_ambiguous',
    help: 'Messages that the carrier may or may not have accepted',
    labels: [],
    query: sql`select count(*)::int as value from dispatch where stage = 'submitting' and worker_id is null`,
  },
  {
    name: 'sending_held',
    help: 'Connections whose sending is on hold after a failover or a restore',
    labels: [],
    query: sql`
      select case when e.state = 'held' then (select count(*)::int from sending_holds)
        when e.state = 'checking' or e.identity <> database_identity() then (select count(*)::int from connections)
        else 0 end as value
      from database_epoch e`,
  },
  {
    name: 'database_epoch',
    help: 'Epoch of the database: the number of times that it was replaced, plus one',
    labels: [],
    query: sql`select epoch as value from database_epoch`,
  },
  {
    name: 'smpp_binds',
    help: 'Carrier binds by state',
    labels: ['connection', 'state'],
    query: sql`
      select c.name as connection, b.state, count(*)::int as value
      from binds b join connections c on c.id = b.connection_id group by c.name, b.state`,
  },
  {
    name: 'smpp_window_in_flight',
    help: 'Submissions waiting for a response from a carrier',
    labels: ['connection'],
    query: sql`
      select c.name as connection, sum(b.in_flight)::int as value
      from binds b join connections c on c.id = b.connection_id group by c.name`,
  },
  {
    name: 'submit_pace',
    help: 'Learned pace of the connection in segments per second',
    labels: ['connection'],
    query: sql`
      select c.name as connection, sum(b.pace_per_second)::int as value
      from binds b join connections c on c.id = b.connection_id
      where b.pace_per_second is not null and b.lease_until > now() group by c.name`,
  },
  {
    name: 'dlr_unmatched',
    help: 'Delivery receipts without a known message',
    labels: [],
    query: sql`select count(*)::int as value from unmatched_reports`,
  },
  {
    name: 'outbox_lag_seconds',
    help: 'Age of the oldest event without a position',
    labels: [],
    // The first 48 bits of an id are its time in milliseconds (RFC 9562, version 7).
    query: sql`
      select greatest(0, extract(epoch from now())
        - (('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint / 1000.0))::float8 as value
      from event_queue order by id limit 1`,
  },
  {
    name: 'ledger_mismatch',
    help: 'Accounts and holds that were unbalanced at the last check',
    labels: [],
    query: sql`select mismatch_count as value from ledger_checks`,
  },
  {
    name: 'ledger_check_age_seconds',
    help: 'Time since the last ledger check',
    labels: [],
    query: sql`select greatest(0, extract(epoch from now() - check_date))::float8 as value from ledger_checks`,
  },
  {
    name: 'mails_waiting',
    help: 'Emails waiting in the outbox',
    labels: [],
    query: sql`select count(*)::int as value from mails where status = 'waiting'`,
  },
  {
    name: 'pg_oldest_xmin_seconds',
    help: 'Age of the oldest transaction, which prevents the removal of dead rows',
    labels: [],
    query: sql`
      select coalesce(extract(epoch from now() - min(xact_start)), 0)::float8 as value from pg_stat_activity
      where backend_xmin is not null and datname = current_database()`,
  },
];

/** Updates all gauges before a scrape. If a reading fails, it is omitted. */
export async function measure(kernel: Kernel): Promise<void> {
  metrics.gauge('db_pool_waiting', 'Requests in this process waiting for a database connection').set(kernel.db.waiting);
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
      kernel.log.warn({ err: error, metric: name }, 'reading failed');
    }
  }
}
