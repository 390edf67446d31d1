import type { ChartDimension, ChartFigures } from '@parley/contract/insights/charts.ts';
import { ID_MARGIN_MS, idAt } from '../kernel/clock.ts';
import { customPlan, join, type Queryable, raw, type Sql, sql } from '../kernel/db/db.ts';
import { createdBefore, createdSince, inSlot, slotRows } from '../messages/messages.ts';
import { chartValue, type DelayDimension, figureColumns } from './slots.ts';

export type Figures = { [K in keyof ChartFigures]: number };
export const NO_FIGURES: Figures = {
  messages: 0,
  sent: 0,
  delivered: 0,
  read: 0,
  failed: 0,
  received: 0,
  segments: 0,
  spend_micros: 0,
};
export const FIGURE_NAMES = Object.keys(NO_FIGURES) as (keyof Figures)[];

export interface Span {
  account_id: string;
  zone: string;
  /** The first midnight of the period before, in the account's time zone. */
  from: Date;
  /** The first day of the period; earlier days belong to the period before. */
  first: string;
  /** The first midnight of the period. */
  begin: Date;
  /** The midnight after the last day. */
  until: Date;
  /** The time from which messages are read instead of slots. */
  live_from: Date;
  /** Counted slots that are read from the messages, because these have changed. */
  changed: readonly Date[];
  channel: string | null;
}

/** A sum by day (`day` is set) or by value in the period or the period before. */
export type CountRow = Figures & { day: string | null; value: string | null; is_before: boolean };

const NAMES = raw(FIGURE_NAMES.join(', '));
const sums: Sql = join(
  FIGURE_NAMES.map((name) => raw(`sum(${name})::bigint as ${name}`)),
  ', ',
);

/**
 * The statement's `counted`: figures by slot and value. Counted slots, changed slots, and recent messages are read by
 * key in one statement.
 */
function counted(span: Span, by: ChartDimension | DelayDimension, from: Date): Sql {
  const { account_id, until, live_from, changed, channel } = span;
  const value = chartValue(by);
  const ofChannel = channel === null ? sql`` : sql`and m.channel = ${channel}`;
  return sql`
    with counted as (
      select m.slot, m.value, ${NAMES} from message_counts m
      where m.account_id = ${account_id} and m.dimension = ${by} and m.slot >= ${from}
        and m.slot < least(${live_from}::timestamptz, ${until}) ${ofChannel}
        and m.slot <> all(${changed}::timestamptz[])
      union all
      select t.slot, c.* from ${slotRows(changed.filter((slot) => slot >= from && slot < until))}
      cross join lateral (
        select ${value}, ${figureColumns} from messages m
        where m.account_id = ${account_id} and ${inSlot} ${ofChannel} group by 1
      ) c
      union all
      select date_bin('15 minutes', m.create_date, 'epoch'), ${value}, ${figureColumns} from messages m
      where m.account_id = ${account_id} and ${createdSince(live_from > from ? live_from : from)}
        and ${createdBefore(until)} ${ofChannel}
      group by 1, 2
    )`;
}

export const listCounts = (db: Queryable, span: Span, by: ChartDimension) =>
  db.rows<CountRow>(
    customPlan(sql`
      ${counted(span, by, span.from)}, days as (
        select (slot at time zone ${span.zone})::date as date, value, ${sums} from counted group by 1, 2
      ), marked as (
        select to_char(date, 'YYYY-MM-DD') as day, date < ${span.first}::date as is_before, value, ${NAMES} from days
      )
      select day, value, is_before, ${sums} from marked
      group by grouping sets ((day, is_before), (value, is_before))`),
  );

/** The people who opted out in the period and in the one before. An opt-out from all senders is of every channel. */
export const countOptOuts = (db: Queryable, { account_id, from, begin, until, channel }: Span) =>
  db.one<{ total: number; before: number }>(
    customPlan(sql`
      select count(distinct h.number) filter (where h.create_date >= ${begin}) as total,
             count(distinct h.number) filter (where h.create_date < ${begin}) as before
      from stop_list_history h left join senders s on s.account_id = h.account_id and s.id = h.sender_id
      where h.account_id = ${account_id} and h.change = 'stopped' and h.reason in ('keyword', 'link', 'carrier')
        and h.create_date >= ${from} and h.create_date < ${until}
        -- The ids follow the dates, so only these days are read.
        and h.id >= ${idAt(from.getTime() - ID_MARGIN_MS)}::uuid
        and h.id < ${idAt(until.getTime() + ID_MARGIN_MS)}::uuid
        and (${channel}::text is null or s.channel is null or s.channel = ${channel})`),
  );

export const listHours = (db: Queryable, span: Span) =>
  db.rows<{ weekday: number; hour: number; sent: number; delivered: number; failed: number }>(
    customPlan(sql`
      ${counted(span, 'channel', span.begin)}, slots as (
        select slot at time zone ${span.zone} as at, sent, delivered, failed from counted
      )
      select extract(isodow from at)::int as weekday, extract(hour from at)::int as hour, sum(sent)::bigint as sent,
             sum(delivered)::bigint as delivered, sum(failed)::bigint as failed
      from slots group by 1, 2 having sum(sent) > 0 order by 1, 2`),
  );

/** The delivered messages of each value by the step of their delay. */
export const listDelays = (db: Queryable, span: Span, by: DelayDimension) =>
  db.rows<{ value: string; step: number; delivered: number }>(
    customPlan(sql`
      ${counted(span, by, span.begin)}
      select split_part(value, ' ', 1) as value, split_part(value, ' ', 2)::int as step,
             sum(delivered)::bigint as delivered
      from counted where value is not null group by 1, 2 having sum(delivered) > 0 order by 1, 2`),
  );

interface Period {
  /** Both are null for the last `days` days. */
  first: string | null;
  last: string | null;
  days: number;
}

/** Returns the period in the account's time zone, and its midnights; `from` is that of the period before. */
export const readCalendar = (db: Queryable, account_id: string, now: Date, { first, last, days }: Period) =>
  db.one<{
    zone: string;
    currency: string;
    first: string;
    last: string;
    from: number;
    begin: number;
    until: number;
  }>(sql`
    select timezone as zone, currency, to_char(first, 'YYYY-MM-DD') as first, to_char(last, 'YYYY-MM-DD') as last,
           extract(epoch from (first - (last - first + 1))::timestamp at time zone timezone)::float8 as from,
           extract(epoch from first::timestamp at time zone timezone)::float8 as begin,
           extract(epoch from (last + 1)::timestamp at time zone timezone)::float8 as until
    from (
      select timezone, currency, coalesce(${first}::date, today - ${days - 1}::int) as first,
             coalesce(${last}::date, today) as last
      from (select timezone, currency, (${now}::timestamptz at time zone timezone)::date as today from accounts
        where id = ${account_id}) a
    ) p`);

const NAME_TABLES = {
  sender: `select id::text as value, coalesce(nullif(name, ''), code) as label from senders`,
  campaign: `select id::text as value, name as label from campaigns`,
  user: `select id::text as value, concat_ws(' ', nullif(first_name, ''), nullif(last_name, '')) as label from users`,
  key: `select id::text as value, name as label from api_keys`,
} as const;
const isNamed = (by: ChartDimension): by is keyof typeof NAME_TABLES => by in NAME_TABLES;

/** Connections belong to the installation, not to an account. */
export async function readConnectionNames(db: Queryable, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.rows<{ id: string; name: string }>(sql`
    select id, name from connections where id = any(${ids}::uuid[])`);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** The names of the records that the values identify. Deleted records have none. */
export async function readLabels(
  db: Queryable,
  account_id: string,
  by: ChartDimension,
  values: readonly string[],
): Promise<Map<string, string>> {
  const present = values.filter((value) => value !== '');
  const rows =
    by === 'network'
      ? await db.rows<{ value: string; label: string }>(sql`
          select mccmnc as value, name as label from networks where mccmnc = any(${present}::text[])`)
      : isNamed(by)
        ? await db.rows<{ value: string; label: string }>(sql`
            ${raw(NAME_TABLES[by])} where account_id = ${account_id} and id = any(${present}::uuid[])`)
        : [];
  return new Map(rows.map(({ value, label }) => [value, label]));
}

/** Returns which first steps are done. Each check stops at the first matching row. */
export const readSteps = (db: Queryable, account_id: string, user_id: string | null) =>
  db.one<Record<string, boolean>>(sql`
    select
      exists (select 1 from users u join logins l on l.id = u.login_id
              where u.account_id = ${account_id} and u.id = ${user_id} and l.status = 'PHONE_VERIFIED') as phone,
      (select status in ('FORM_SUBMITTED', 'VERIFIED') from accounts where id = ${account_id}) as verification_sent,
      (select status = 'VERIFIED' from accounts where id = ${account_id}) as verified,
      exists (select 1 from senders where account_id = ${account_id} and status in ('available', 'approved')
        and delete_date is null and shared_from is null) as sender,
      exists (select 1 from contacts where account_id = ${account_id}) as contacts,
      exists (select 1 from message_counts where account_id = ${account_id} and dimension = 'channel'
        and delivered > 0)
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
