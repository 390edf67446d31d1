import type { Permissions } from '@parley/contract/permission.ts';
import { type Db, type Queryable, sql } from '../kernel/db/db.ts';

/** A worker that stops leaves its notifications to others after this time. */
const LEASE = '60 seconds';

export interface Claimed {
  account_id: string;
  id: string;
  device_id: string;
  kind: 'message' | 'assignment' | 'mention';
  conversation_id: string;
  target_id: string | null;
  /** Including this one. */
  attempts: number;
  /** Seconds since 1970. */
  created: number;
}

/** How many rows are read for one claim, of which an account gets only its share. */
const READ = 200;

/** Claims up to `each` notifications of an account, and none of accounts that are `full`. */
export const claim = (
  db: Db,
  now: Date,
  { limit, each, full }: { limit: number; each: number; full: readonly string[] },
) =>
  db.rows<Claimed>(sql`
    with due as (
      select account_id, id, next_date from push_deliveries
      where next_date <= ${now} and account_id <> all(${full}::uuid[])
      order by next_date limit ${READ} for update skip locked
    ), chosen as (
      select account_id, id from (
        select account_id, id, next_date, row_number() over (partition by account_id order by next_date, id) as place
        from due
      ) placed
      where place <= ${each} order by next_date limit ${limit}
    )
    update push_deliveries p set attempts = p.attempts + 1, next_date = ${now}::timestamptz + ${LEASE}::interval
    from chosen where p.account_id = chosen.account_id and p.id = chosen.id
    returning p.account_id, p.id, p.device_id, p.kind, p.conversation_id, p.target_id, p.attempts,
              extract(epoch from p.create_date)::float8 as created`);

export const remove = (db: Queryable, account_id: string, id: string) =>
  db.run(sql`delete from push_deliveries where account_id = ${account_id} and id = ${id}`);

export const removeAll = (db: Queryable, account_id: string, device_id: string) =>
  db.run(sql`delete from push_deliveries where account_id = ${account_id} and device_id = ${device_id}`);

export const postpone = (db: Queryable, account_id: string, id: string, until: Date) =>
  db.run(sql`
    update push_deliveries set next_date = ${until} where account_id = ${account_id} and id = ${id}`);

export interface DeviceState {
  user_id: string;
  is_owner: boolean;
  permissions: Permissions;
  subscription: string;
  new_messages: boolean;
  assignments: boolean;
  mentions: boolean;
  /** The quiet hours of the user include now. */
  is_quiet: boolean;
}

/** Null if the session of the device has ended, or if the user is blocked. */
export const findDevice = (db: Queryable, account_id: string, id: string, now: Date) =>
  db.maybeOne<DeviceState>(sql`
    select d.user_id, u.is_owner, u.permissions, d.subscription, coalesce(s.new_messages, true) as new_messages,
           coalesce(s.assignments, true) as assignments, coalesce(s.mentions, true) as mentions,
           case when s.quiet_from is null then false
                when s.quiet_from < s.quiet_until then here.time >= s.quiet_from and here.time < s.quiet_until
                else here.time >= s.quiet_from or here.time < s.quiet_until end as is_quiet
    from push_devices d
    join accounts a on a.id = d.account_id
    join users u on u.account_id = d.account_id and u.id = d.user_id and not u.blocked
    join sessions e on e.id = d.session_id and e.revoke_date is null and e.expire_date > ${now}
    left join push_settings s on s.account_id = d.account_id and s.user_id = d.user_id
    cross join lateral (select to_char(${now}::timestamptz at time zone a.timezone, 'HH24:MI') as time) here
    where d.account_id = ${account_id} and d.id = ${id}`);

/** Devices whose session has ended no longer get notifications. */
export const removeEnded = (db: Queryable, now: Date) =>
  db.run(sql`
    delete from push_devices d
    where not exists (
      select from sessions e where e.id = d.session_id and e.revoke_date is null and e.expire_date > ${now})`);

export interface ConversationState {
  assignee_id: string | null;
  unread_count: number;
  name: string;
  text: string | null;
  type: string | null;
}

/** A conversation with its last inbound message; null if it was removed. */
export const findConversation = (db: Queryable, account_id: string, id: string) =>
  db.maybeOne<ConversationState>(sql`
    select c.assignee_id, c.unread_count, m.text, m.type,
           coalesce(
             nullif((select concat_ws(' ', nullif(k.first_name, ''), nullif(k.last_name, '')) from contacts k
                     where k.account_id = c.account_id and k.number = c.number order by k.id limit 1), ''),
             nullif(c.profile_name, ''), '+' || c.number) as name
    from conversations c
    left join lateral (
      select m.text, m.type from messages m
      where m.account_id = c.account_id and m.number = c.number and m.sender_id = c.sender_id and m.direction = 'MO'
      order by m.id desc limit 1) m on true
    where c.account_id = ${account_id} and c.id = ${id} and c.delete_date is null`);

/** The note, if it still exists, and who wrote it. */
export const findNote = (db: Queryable, account_id: string, id: string) =>
  db.maybeOne<{ text: string; by_name: string }>(sql`
    select n.text, coalesce(nullif(concat_ws(' ', nullif(u.first_name, ''), nullif(u.last_name, '')), ''), u.email)
      as by_name
    from conversation_entries n left join users u on u.account_id = n.account_id and u.id = n.user_id
    where n.account_id = ${account_id} and n.id = ${id} and n.kind = 'note'`);
