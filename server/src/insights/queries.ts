import type { Queryable } from '../kernel/db/db.ts';
import { sql } from '../kernel/db/db.ts';
import { createdSince, sumColumns } from './slots.ts';

interface Span {
  account_id: string;
  zone: string;
  /** The first midnight of the period in the account's time zone. */
  from: Date;
  /** From this time on, messages are read instead of slots. */
  live_from: Date;
}

export interface DayRow {
  day: string;
  channel: string;
  sent: number;
  delivered: number;
  failed: number;
  received: number;
  spend_micros: number;
}

/** Reads counted slots and recent messages by key in one statement. */
export const listDays = (db: Queryable, { account_id, zone, from, live_from }: Span) =>
  db.rows<DayRow>(sql`
    select to_char(day, 'YYYY-MM-DD') as day, channel, sum(sent)::int as sent, sum(delivered)::int as delivered,
           sum(failed)::int as failed, sum(received)::int as received, sum(spend_micros)::bigint as spend_micros
    from (
      select (slot at time zone ${zone})::date as day, channel, sum(sent) as sent, sum(delivered) as delivered,
             sum(failed) as failed, sum(received) as received, sum(spend_micros) as spend_micros
      from message_slots where account_id = ${account_id} and slot >= ${from} and slot < ${live_from}
      group by 1, 2
      union all
      select (m.slot at time zone ${zone})::date, m.channel, m.sent, m.delivered, m.failed, m.received, m.spend_micros
      from (
        select date_bin('15 minutes', m.create_date, 'epoch') as slot, m.channel, ${sumColumns}
        from messages m where m.account_id = ${account_id} and ${createdSince(live_from)}
        group by 1, 2
      ) m
    ) counted
    group by 1, 2
    order by 1, 2`);

/** Returns the account's time zone, today's date, and the midnight `back` days before today. */
export const readCalendar = (db: Queryable, account_id: string, now: Date, back: number) =>
  db.one<{ zone: string; today: string; from: number }>(sql`
    select timezone as zone, to_char(local, 'YYYY-MM-DD') as today,
           extract(epoch from (local::date - ${back}::int)::timestamp at time zone timezone)::float8 as from
    from (select timezone, ${now}::timestamptz at time zone timezone as local from accounts
      where id = ${account_id}) a`);

/** Returns which first steps are done. Each check stops at the first matching row. */
export const readSteps = (db: Queryable, account_id: string, user_id: string | null) =>
  db.one<Record<string, boolean>>(sql`
    select
      exists (select 1 from users u join logins l on l.id = u.login_id
              where u.account_id = ${account_id} and u.id = ${user_id} and l.status = 'PHONE_VERIFIED') as phone,
      (select status in ('FORM_SUBMITTED', 'VERIFIED') from accounts where id = ${account_id}) as verification_sent,
      (select status = 'VERIFIED' from accounts where id = ${account_id}) as verified,
      exists (select 1 from senders where account_id = ${account_id} and status in ('available', 'approved')) as sender,
      exists (select 1 from contacts where account_id = ${account_id}) as contacts,
      exists (select 1 from message_slots where account_id = ${account_id} and delivered > 0)
        or exists (select 1 from (select status, direction from messages where account_id = ${account_id}
          order by id desc limit 200) m
                   where m.direction = 'MT' and m.status in ('delivered', 'read')) as delivered,
      exists (select 1 from campaigns where account_id = ${account_id} and start_date is not null) as campaign,
      exists (select 1 from conversations where account_id = ${account_id}) as conversation,
      exists (select 1 from conversations where account_id = ${account_id}
        and last_read_timestamp is not null) as replies,
      exists (select 1 from api_keys where account_id = ${account_id} and revoke_date is null) as key,
      exists (select 1 from users where account_id = ${account_id} and not is_owner)
        or exists (select 1 from invitations where account_id = ${account_id} and status <> 'REVOKED') as team`);
