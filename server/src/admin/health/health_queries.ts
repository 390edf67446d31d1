import type { Health } from '@parley/contract/admin/customers.ts';
import type { AdapterName } from '@parley/contract/channels/adapters.ts';
import type { DeviceState } from '../../channels/carrier_facts.ts';
import { type Queryable, sql, type Tx } from '../../kernel/db/db.ts';
import { CAP } from '../../kernel/db/list.ts';
import { poorHealth } from '../../messages/messages.ts';

export type Queue = Health['queues'][number];

/** Returns the job queues with their due jobs. A failed job is kept for a day. */
export const listJobQueues = (db: Queryable) =>
  db.rows<Queue>(sql`
    select q.name,
           count(j.id) filter (where j.state < 'active' and j.start_after <= now())::int as waiting,
           count(j.id) filter (where j.state = 'active')::int as active,
           count(j.id) filter (where j.state = 'failed')::int as failed,
           extract(epoch from now() - min(j.start_after) filter (where j.state < 'active'
             and j.start_after <= now()))::int as oldest_seconds
    from pgboss.queue q left join pgboss.job j on j.name = q.name and j.state <> 'completed'
    where q.name not like '\\_\\_pgboss%' group by q.name order by q.name`);

/**
 * Returns the message queue: due messages, and messages already submitted to a carrier. Counts stop at a limit, because
 * operators only need to see whether the queue is moving.
 */
export const readMessageQueue = async (db: Queryable): Promise<Queue & { ambiguous: number }> => {
  const row = await db.one<Omit<Queue, 'name' | 'failed'> & { ambiguous: number }>(sql`
    select (select count(*) from (select 1 from dispatch where stage = 'queued' limit ${CAP + 1}) q)::int as waiting,
           (select count(*) from (select 1 from dispatch where stage = 'submitting' limit ${CAP + 1}) s)::int as active,
           (select count(*) from (
              select 1 from dispatch where stage = 'submitting' and worker_id is null
              limit ${CAP + 1}) u)::int as ambiguous,
           (select extract(epoch from now() - min(not_before))::int from dispatch where stage = 'queued'
             and not_before <= now()) as oldest_seconds`);
  return { name: 'messages', failed: 0, ...row };
};

export const listWorkers = (db: Queryable, lease_seconds: number) =>
  db.rows<Health['workers'][number]>(sql`
    select id, coalesce(nullif(role, ''), 'worker') as role, host,
           lease_until - make_interval(secs => ${lease_seconds}) as last_seen_date, lease_until > now() as alive
    from workers order by create_date`);

export interface ConnectionState {
  id: string;
  name: string;
  adapter: AdapterName;
  settings: object;
  paused: boolean;
  pause_reason: string;
  /** The number of binds over which messages can be sent. */
  up: number;
  /** The error that a carrier or the network reported for a bind that is down. */
  detail: string;
  /** The figures of the binds that are up. */
  up_detail: string;
  /** Why routes avoid the connection. Empty if it is in good health. */
  poor: string;
}

export const listConnectionStates = (db: Queryable) =>
  db.rows<ConnectionState>(sql`
    select c.id, c.name, c.adapter, c.settings, c.paused_date is not null as paused, c.pause_reason,
           coalesce(b.up, 0) as up, coalesce(b.detail, '') as detail, coalesce(b.up_detail, '') as up_detail,
           coalesce(${poorHealth}, '') as poor
    from connections c left join lateral (
      select count(*) filter (where state in ('bound', 'throttled'))::int as up,
             min(detail) filter (where detail <> '' and state not in ('bound', 'throttled')) as detail,
             min(detail) filter (where detail <> '' and state = 'bound') as up_detail
      from binds where connection_id = c.id and lease_until > now()
    ) b on true
    where c.enabled order by c.name`);

export interface UnmatchedReceipts {
  name: string;
  count: number;
}

/** Counts the recent receipts that match no message. Newer ones may still be matched. */
export const countUnmatchedReceipts = (db: Queryable) =>
  db.rows<UnmatchedReceipts>(sql`
    select c.name, count(*)::int as count from (
      select connection_id from unmatched_reports
      where create_date between now() - interval '1 hour' and now() - interval '1 minute'
      order by create_date desc limit ${CAP + 1}
    ) u join connections c on c.id = u.connection_id
    where c.enabled group by c.name order by c.name`);

export interface Device {
  name: string;
  state: DeviceState;
  seconds: number;
}

/** Returns the phones that send messages, with the age of their last report. */
export const listDevices = (db: Queryable) =>
  db.rows<Device>(sql`
    select name, device_state as state, extract(epoch from now() - device_date)::int as seconds
    from connections where enabled and device_state is not null order by name`);

export interface DailyLimit {
  name: string;
  daily_limit: number;
  taken_today: number;
}

/** Returns the connections with a daily limit, and the messages that count toward it today, in UTC. */
export const listDailyLimits = (db: Queryable) =>
  db.rows<DailyLimit>(sql`
    select c.name, (c.settings->>'daily_limit')::int as daily_limit, coalesce(t.message_count, 0) as taken_today
    from connections c
    left join connection_days t on t.connection_id = c.id and t.day = (now() at time zone 'UTC')::date
    where c.enabled and c.settings->>'daily_limit' is not null order by c.name`);

export interface CarrierError {
  name: string;
  error_text: string;
}

/** Returns the connections whose carrier reported an account error in the last 24 hours. */
export const listCarrierErrors = (db: Queryable) =>
  db.rows<CarrierError>(sql`
    select name, error_text from connections where enabled and error_date > now() - interval '24 hours' order by name`);

/** The figures of the checks by name. */
export type Sample = Readonly<Record<string, number>>;

/** Returns the samples of the last hour, oldest first. */
export const listSamples = async (db: Queryable): Promise<Sample[]> =>
  (
    await db.rows<{ figures: Sample }>(sql`
      select figures from health_samples where sample_date > now() - interval '1 hour' order by sample_date`)
  ).map(({ figures }) => figures);

export async function insertSample(tx: Tx, sample: Sample): Promise<void> {
  await tx.run(sql`
    insert into health_samples (sample_date, figures)
    values (date_trunc('minute', now()), ${JSON.stringify(sample)}::jsonb) on conflict do nothing`);
  await tx.run(sql`delete from health_samples where sample_date < now() - interval '1 day'`);
}

export interface Figures {
  mails_waiting: number;
  mails_oldest_seconds: number | null;
  mails_failed: number;
  outbox_seconds: number;
  ledger_mismatch: number;
  ledger_age_seconds: number | null;
  differences_count: number;
  database_bytes: number;
}

export const readFigures = (db: Queryable) =>
  db.one<Figures>(sql`
    select m.waiting as mails_waiting, m.oldest as mails_oldest_seconds,
           (select count(*) from mails where status in ('bounced', 'failed')
             and create_date > now() - interval '1 day')::int as mails_failed,
           -- The first 48 bits of an id are its milliseconds (RFC 9562, version 7).
           coalesce((
             select greatest(0, extract(epoch
               from now()) - (('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint / 1000.0))
             from event_queue order by id limit 1), 0)::float8 as outbox_seconds,
           coalesce((select mismatch_count from ledger_checks limit 1), 0)::int as ledger_mismatch,
           (select extract(epoch from now() - check_date)::int from ledger_checks limit 1) as ledger_age_seconds,
           (select count(*) from payment_differences where status = 'open')::int as differences_count,
           pg_database_size(current_database()) as database_bytes
    from (
      select count(*)::int as waiting, extract(epoch from now() - min(create_date))::int as oldest from mails
      where status = 'waiting') m`);

type Doctor = Health['doctor'];

export const findLastDoctorRun = async (db: Queryable): Promise<Doctor> =>
  (await db.maybeOne<Doctor>(sql`
    select create_date as date, findings from doctor_runs order by id desc limit 1`)) ?? { date: null, findings: [] };

export const insertDoctor = (tx: Tx, id: string, user_id: string, findings: Doctor['findings']) =>
  tx.run(sql`
    insert into doctor_runs (id, user_id, findings, create_date)
    values (${id}, ${user_id}, ${JSON.stringify(findings)}::jsonb, ${tx.now})`);
