import { type ExportSchedule, SCHEDULE_HOUR } from '@parley/contract/exports/schedules.ts';
import { type Queryable, type Sql, sql, type Tx } from '../kernel/db/db.ts';
import type { Actor } from '../kernel/security/auth.ts';
import type { Selection } from './queries.ts';

/** Serializes the creation of schedules in an account, so that the limit holds. */
export const lockSchedules = (tx: Tx, account_id: string) =>
  tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${account_id}, 7315))`);

export const countSchedules = async (db: Queryable, account_id: string): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*) from export_schedules where account_id = ${account_id}`)).count;

/** The first start after `now`: the next day or Monday at that hour in the time zone. */
function nextStart(now: Date, zone: Sql, interval: Sql): Sql {
  const local = sql`${now}::timestamptz at time zone ${zone}`;
  return sql`(select case when first > at then first else first + step end at time zone ${zone}
    from (select ${local} as at, case ${interval} when 'daily' then interval '1 day' else interval '7 days' end as step,
      date_trunc(case ${interval} when 'daily' then 'day' else 'week' end, ${local})
        + make_interval(hours => ${SCHEDULE_HOUR}) as first) t)`;
}

interface NewSchedule extends Selection {
  id: string;
  interval: ExportSchedule['interval'];
  destination_id: string | null;
  actor: Actor;
}

export const insertSchedule = (tx: Tx, row: NewSchedule) =>
  tx.run(sql`
    insert into export_schedules (account_id, id, list, params, filter, sort, columns, format, interval, time_zone,
      actor, user_id, destination_id, next_date, create_date)
    values (${row.actor.account_id}, ${row.id}, ${row.list}, ${JSON.stringify(row.params)}::jsonb,
      ${JSON.stringify(row.filter)}::jsonb, ${row.sort},
      ${row.columns === null ? null : JSON.stringify(row.columns)}::jsonb, ${row.format}, ${row.interval},
      ${row.time_zone}, ${JSON.stringify(row.actor)}::jsonb, ${row.actor.user_id}, ${row.destination_id},
      ${nextStart(tx.now, sql`${row.time_zone}::text`, sql`${row.interval}::text`)}, ${tx.now})`);

export const listSchedules = (db: Queryable, account_id: string, id: string | null = null) =>
  db.rows<ExportSchedule>(sql`
    select s.id, s.account_id, s.list, s.format, s.interval, s.time_zone, s.user_id, coalesce(u.email, '') as email,
           s.destination_id, d.name as destination_name, s.next_date, s.last_date, s.create_date
    from export_schedules s left join users u on u.account_id = s.account_id and u.id = s.user_id
    left join export_destinations d on d.account_id = s.account_id and d.id = s.destination_id
    where s.account_id = ${account_id} and (${id}::uuid is null or s.id = ${id}::uuid)
    order by s.id`);

export const deleteSchedule = (tx: Tx, account_id: string, id: string) =>
  tx.run(sql`delete from export_schedules where account_id = ${account_id} and id = ${id}`);

export const listDue = (db: Queryable, now: Date) =>
  db.rows<{ account_id: string; id: string }>(sql`
    select account_id, id from export_schedules where next_date <= ${now} order by next_date limit 500`);

interface DueSchedule extends Selection {
  account_id: string;
  id: string;
  interval: ExportSchedule['interval'];
  actor: Actor;
  /** The day or week before, in UTC. */
  period_start: string;
  period_end: string;
}

/** Locks the schedule. Returns null if another worker has started it or it was deleted. */
export const lockDue = (tx: Tx, account_id: string, id: string, now: Date) =>
  tx.maybeOne<DueSchedule>(sql`
    select s.account_id, s.id, s.list, s.params, s.filter, s.sort, s.columns, s.format, s.interval, s.time_zone,
           s.actor, (date_trunc(unit, local) - step) at time zone s.time_zone as period_start,
           date_trunc(unit, local) at time zone s.time_zone - interval '1 second' as period_end
    from export_schedules s
    cross join lateral (
      select s.next_date at time zone s.time_zone as local,
             case s.interval when 'daily' then 'day' else 'week' end as unit,
             case s.interval when 'daily' then interval '1 day' else interval '7 days' end as step) t
    where s.account_id = ${account_id} and s.id = ${id} and s.next_date <= ${now}
    for update of s skip locked`);

export const setNext = (tx: Tx, { account_id, id }: DueSchedule) =>
  tx.run(sql`
    update export_schedules s set last_date = ${tx.now},
      next_date = ${nextStart(tx.now, sql`s.time_zone`, sql`s.interval`)}
    where account_id = ${account_id} and id = ${id}`);

/** The user to whom the link of a finished export is sent; null if an SFTP server gets the file. */
export const scheduleUser = (db: Queryable, account_id: string, schedule_id: string) =>
  db.maybeOne<{ email: string; first_name: string; interval: ExportSchedule['interval'] }>(sql`
    select u.email, u.first_name, s.interval
    from export_schedules s join users u on u.account_id = s.account_id and u.id = s.user_id
    where s.account_id = ${account_id} and s.id = ${schedule_id} and s.destination_id is null and not u.blocked
      and u.remove_date is null`);

/** The SFTP server that receives the files of a schedule; null if there is none. */
export const scheduleDestination = async (db: Queryable, account_id: string, schedule_id: string) =>
  (
    await db.maybeOne<{ destination_id: string | null }>(sql`
      select destination_id from export_schedules where account_id = ${account_id} and id = ${schedule_id}`)
  )?.destination_id ?? null;
