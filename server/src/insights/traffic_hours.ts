/**
 * Counts the outbound messages of an account in an hour, by country and by route. Messages are counted as they were
 * some minutes after the hour, so that hours of different weeks are counted at the same age. An hour can be counted at
 * any later time with the same result, because the timeline of a message keeps each change with its time.
 */
import { UNDELIVERED } from '@parley/contract/messages/statuses.ts';
import { type Db, type Queryable, sql, type Tx } from '../kernel/db/db.ts';
import { createdBefore, createdSince } from '../messages/messages.ts';
import type { HourFigures } from './baseline.ts';
import { percentile } from './delivery.ts';
import { DELAY_STEPS } from './slots.ts';

export const HOUR_MS = 3_600_000;
/** How long after its end an hour is counted. Receipts that arrive within this time count. */
export const SETTLE_MS = 12 * 60_000;
const P95 = 0.95;
/** Counted hours are kept until no hour is compared with them. */
const KEEP_DAYS = 50;

/** Stores nothing if the hour was counted before. */
export async function countHour(tx: Tx, account_id: string, hour: Date): Promise<void> {
  const end = new Date(hour.getTime() + HOUR_MS);
  const cutoff = new Date(end.getTime() + SETTLE_MS).toISOString().slice(0, 19);
  await tx.run(sql`
    with counted as (
      select m.country, m.connection_id::text as route, m.source <> 'campaign' as is_steady,
             case when m.charge = 'released' then 0 else m.price_micros end as price_micros, past.status,
             case when m.source <> 'campaign' then width_bucket(
               extract(epoch from past.delivered_at - greatest(m.create_date, m.schedule) at time zone 'UTC'),
               ${DELAY_STEPS}::numeric[]) end as step
      from messages m
      cross join lateral (
        select (array_agg(e->>'status' order by n desc))[1] as status,
               min((e->>'at')::timestamp) filter (where e->>'status' in ('delivered', 'read')) as delivered_at
        from jsonb_array_elements(m.timeline) with ordinality as t(e, n)
        where (e->>'at')::timestamp <= ${cutoff}::timestamp
      ) past
      where m.account_id = ${account_id} and m.direction = 'MT' and ${createdSince(hour)} and ${createdBefore(end)}
        and past.status not in ('scheduled', 'canceled')
    ), steps as (
      select d.scope, d.value, step, count(*) filter (where status <> 'enroute') as sent,
             count(*) filter (where status in ('delivered', 'read')) as delivered,
             count(*) filter (where status = any(${UNDELIVERED}::text[])) as failed,
             count(*) filter (where is_steady) as volume,
             coalesce(sum(price_micros) filter (where is_steady), 0) as spend_micros
      from counted cross join lateral (values ('country', country), ('route', route)) d(scope, value)
      where d.value is not null group by 1, 2, 3
    )
    insert into traffic_hours (account_id, hour, scope, value, sent, delivered, failed, volume, spend_micros, delays)
    select ${account_id}::uuid, ${hour}::timestamptz, scope, value, sum(sent)::int, sum(delivered)::int,
           sum(failed)::int, sum(volume)::int, sum(spend_micros)::bigint,
           coalesce(jsonb_object_agg(step, delivered) filter (where step is not null), '{}')
    from steps group by scope, value
    union all
    select ${account_id}::uuid, ${hour}::timestamptz, 'account', '', 0, 0, 0, 0, 0, '{}'
    on conflict do nothing`);
}

/** The hours that were not counted yet. */
export async function listUncounted(db: Queryable, account_id: string, hours: readonly Date[]): Promise<Date[]> {
  const rows = await db.rows<{ at: number }>(sql`
    select extract(epoch from h.hour)::float8 as at from unnest(${hours}::timestamptz[]) h(hour)
    where not exists (
      select from traffic_hours t
      where t.account_id = ${account_id} and t.hour = h.hour and t.scope = 'account' and t.value = '')`);
  return rows.map(({ at }) => new Date(at * 1000));
}

export const hasTraffic = async (db: Queryable, account_id: string, hour: Date): Promise<boolean> =>
  (
    await db.one<{ found: boolean }>(sql`
      select exists (
        select from messages m
        where m.account_id = ${account_id} and ${createdSince(hour)}
          and ${createdBefore(new Date(hour.getTime() + HOUR_MS))}
      ) as found`)
  ).found;

/** Records that the hour was counted for all accounts. */
export const markCounted = (db: Db, account_id: string, hour: Date) =>
  db.run(sql`
    insert into traffic_hours (account_id, hour, scope, value) values (${account_id}, ${hour}, 'account', '')
    on conflict do nothing`);

export const pruneHours = (db: Db, account_id: string, now: Date) =>
  db.run(sql`
    delete from traffic_hours
    where account_id = ${account_id} and hour < ${new Date(now.getTime() - KEEP_DAYS * 24 * HOUR_MS)}`);

interface Row extends Omit<HourFigures, 'p95' | 'timed'> {
  at: number;
  value: string;
  delays: Record<string, number>;
}

/** Figures by hour, in milliseconds, and by value. Hours without traffic have no figures. */
export type Hours = ReadonlyMap<number, ReadonlyMap<string, HourFigures>>;

export const readCountries = async (db: Queryable, account_id: string, hours: readonly Date[]): Promise<Hours> =>
  toHours(
    await db.rows<Row>(sql`
      select extract(epoch from hour)::float8 as at, value, sent, delivered, failed, volume, spend_micros, delays
      from traffic_hours
      where account_id = ${account_id} and hour = any(${hours}::timestamptz[]) and scope = 'country'`),
  );

/** The routes of all accounts. */
export const readRoutes = async (db: Queryable, hours: readonly Date[]): Promise<Hours> =>
  toHours(
    await db.rows<Row>(sql`
      with rows as materialized (
        select * from traffic_hours where scope = 'route' and hour = any(${hours}::timestamptz[])
      ), delays as (
        select hour, value, jsonb_object_agg(step, delivered) as delays from (
          select r.hour, r.value, e.key as step, sum(e.value::int) as delivered
          from rows r cross join lateral jsonb_each_text(r.delays) e group by 1, 2, 3
        ) steps group by 1, 2
      )
      select extract(epoch from r.hour)::float8 as at, r.value, sum(sent)::int as sent,
             sum(delivered)::int as delivered, sum(failed)::int as failed, sum(volume)::int as volume,
             0 as spend_micros,
             coalesce((select d.delays from delays d where d.hour = r.hour and d.value = r.value), '{}') as delays
      from rows r group by r.hour, r.value`),
  );

export const NO_TRAFFIC: HourFigures = {
  ...{ sent: 0, delivered: 0, failed: 0, volume: 0, spend_micros: 0, p95: 0, timed: 0 },
};

function toHours(rows: readonly Row[]): Hours {
  const hours = new Map<number, Map<string, HourFigures>>();
  for (const { at, value, delays, ...figures } of rows) {
    const steps = Object.entries(delays)
      .map(([step, delivered]) => ({ step: Number(step), delivered }))
      .sort((a, b) => a.step - b.step);
    const timed = steps.reduce((sum, { delivered }) => sum + delivered, 0);
    const values = hours.get(at * 1000) ?? new Map<string, HourFigures>();
    hours.set(at * 1000, values.set(value, { ...figures, timed, p95: percentile(steps, P95) }));
  }
  return hours;
}
