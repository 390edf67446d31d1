import type { MessageDetail } from '@parley/contract/messages/details.ts';
import type { LoggedMessage, listMessages, Message } from '@parley/contract/messages/messages.ts';
import { ID_MARGIN_MS, idAt } from '../../kernel/clock.ts';
import { and, customPlan, type Queryable, type Sql, sql } from '../../kernel/db/db.ts';
import { afterKey, orderBy, type Page, type Sorts } from '../../kernel/db/list.ts';
import { conversationId, messageColumns } from '../model/message_columns.ts';
import { createdSince, inSlot, slotRows } from './counted_slots.ts';

/** A range of message IDs; the end is exclusive. */
export interface IdRange {
  first: string;
  end: string;
}

export interface LogFilter {
  account_id: string;
  countries?: readonly string[] | undefined;
  sender_ids?: readonly string[] | undefined;
  campaign_ids?: readonly string[] | undefined;
  statuses?: readonly string[] | undefined;
  direction?: 'MT' | 'MO' | undefined;
  channel?: string | undefined;
  source?: string | undefined;
  wa_categories?: readonly string[] | undefined;
  verification_statuses?: readonly string[] | undefined;
  networks?: readonly string[] | undefined;
  user_ids?: readonly string[] | undefined;
  key_ids?: readonly string[] | undefined;
  failures?: readonly string[] | undefined;
  template_ids?: readonly string[] | undefined;
  hold_id?: string | undefined;
  charge?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  /** True if `to` is a sender of the account, so that inbound messages also match. */
  to_own_sender?: boolean;
  to_prefix?: string | undefined;
  created_date_start?: string | undefined;
  created_date_end?: string | undefined;
}

/** Longer than any call takes. */
const HOLD_MARGIN_MS = 60_000;

const digits = (text: string): string => text.replace(/[\s+().-]/g, '');

const utc = (text: string): number => Date.parse(`${text.replace(' ', 'T')}Z`);

/**
 * Every condition can use the primary key (newest first) or the index by number, because no condition combines the two
 * with `or`.
 */
const conditions = (filter: LogFilter): Sql =>
  and([
    sql`m.account_id = ${filter.account_id}`,
    filter.created_date_start &&
      sql`m.id >= ${idAt(utc(filter.created_date_start) - ID_MARGIN_MS)}::uuid
          and m.create_date >= ${filter.created_date_start}::timestamp at time zone 'UTC'`,
    filter.created_date_end &&
      sql`m.id < ${idAt(utc(filter.created_date_end) + ID_MARGIN_MS)}::uuid
          and m.create_date < ${filter.created_date_end}::timestamp at time zone 'UTC' + interval '1 second'`,
    filter.to_prefix && numbersFrom(digits(filter.to_prefix)),
    ...address('from', filter.from, filter.direction === 'MO'),
    ...address('to', filter.to, filter.direction !== 'MO' && !filter.to_own_sender),
    filter.campaign_ids?.length && sql`m.campaign_id = any(${filter.campaign_ids}::uuid[])`,
    filter.sender_ids?.length && sql`m.sender_id = any(${filter.sender_ids}::uuid[])`,
    filter.statuses?.length && sql`m.status = any(${filter.statuses}::text[])`,
    filter.countries?.length && sql`m.country = any(${filter.countries}::text[])`,
    filter.direction && sql`m.direction = ${filter.direction}`,
    filter.channel && sql`m.channel = ${filter.channel}`,
    filter.source && sql`m.source = ${filter.source}`,
    filter.wa_categories?.length &&
      sql`m.content->>'purpose' = any(${filter.wa_categories.map((name) => name.toLowerCase())}::text[])`,
    filter.verification_statuses?.length && sql`m.verification_status = any(${filter.verification_statuses}::text[])`,
    filter.networks?.length && ofNetworks(filter.networks),
    filter.user_ids?.length && sql`m.user_id = any(${filter.user_ids}::uuid[])`,
    filter.key_ids?.length && sql`m.key_id = any(${filter.key_ids}::uuid[])`,
    filter.failures?.length && sql`m.failure = any(${filter.failures}::text[])`,
    filter.template_ids?.length && sql`m.template_id = any(${filter.template_ids}::uuid[])`,
    filter.hold_id && ofHold(filter.hold_id),
    filter.charge && sql`m.charge = ${filter.charge}`,
  ]);

/** A hold and its messages get their ids in the same call, so only the messages around its time are read. */
function ofHold(hold_id: string): Sql {
  const ms = Number.parseInt(hold_id.replace('-', '').slice(0, 12), 16);
  return sql`m.hold_id = ${hold_id} and m.id >= ${idAt(ms - HOLD_MARGIN_MS)}::uuid
    and m.id < ${idAt(ms + HOLD_MARGIN_MS)}::uuid`;
}

function ofNetworks(networks: readonly string[]): Sql {
  const known = sql`m.mccmnc = any(${networks.filter((network) => network !== 'unknown')}::text[])`;
  return networks.includes('unknown') ? sql`(m.mccmnc is null or ${known})` : known;
}

/**
 * Unlike a pattern, a range can use the index under every collation, because digits sort the same way in all of them.
 */
function numbersFrom(prefix: string): Sql {
  if (!/^\d{1,20}$/.test(prefix)) return sql`false`;
  const after = String(BigInt(`1${prefix}`) + 1n).slice(1);
  return /^0*$/.test(after) ? sql`m.number >= ${prefix}` : sql`m.number >= ${prefix} and m.number < ${after}`;
}

/** The text without the punctuation of phone numbers; sender names are unchanged. */
const plainAddress = (text: string): string => (/\d/.test(text) && /^\d*$/.test(digits(text)) ? digits(text) : text);

export const isOwnSender = async (db: Queryable, account_id: string, text: string): Promise<boolean> =>
  (
    await db.one<{ found: boolean }>(sql`
      select exists (
        select from senders where account_id = ${account_id} and code = ${plainAddress(text)}
      ) as found`)
  ).found;

/** Also filters by `number` if the address is the other party's, so that the index by number can be used. */
function address(column: 'from' | 'to', text: string | undefined, others: boolean): Sql[] {
  if (!text) return [];
  const plain = plainAddress(text);
  return [
    column === 'from' ? sql`m."from" = ${plain}` : sql`m."to" = ${plain}`,
    ...(others ? [sql`m.number = ${plain}`] : []),
  ];
}

/** The ID of a message contains the time of its creation. Only this order has an index for every filter. */
const SORTS: Sorts<typeof listMessages> = { create_date: 'm.id' };

/** A logged message before the fields that follow from its other fields. */
export type LogRow = Message & Pick<LoggedMessage, 'sender' | 'verification_status'>;
const logColumns: Sql = sql`${messageColumns}, m.verification_status, ${conversationId},
  jsonb_build_object('id', m.sender_id, 'name',
  (select s.name from senders s where s.account_id = m.account_id and s.id = m.sender_id), 'code',
  (select s.code from senders s where s.account_id = m.account_id and s.id = m.sender_id)) as sender`;

/** The page is selected before its columns are computed, so that each skipped row costs only an index step. */
export const listLogPage = <R = LogRow>(db: Queryable, filter: LogFilter, page: Page, columns = logColumns) => {
  const order = orderBy(page, SORTS, 'm.id', 'm.id desc');
  return db.rows<R>(
    customPlan(sql`
      select ${columns}
      from (
        select * from messages m
        where ${conditions(filter)} and ${afterKey(page, 'm.id')}
        order by ${order}
        limit ${page.size + 1} offset ${page.offset}
      ) m
      order by ${order}`),
  );
};

/** The IDs of the first matches in the ranges, in the order of the page. */
export async function listIdsInRanges(
  db: Queryable,
  filter: LogFilter,
  page: Page,
  ranges: readonly IdRange[],
  limit: number,
): Promise<string[]> {
  const order = orderBy(page, SORTS, 'm.id', 'm.id desc');
  const rows = await db.rows<{ id: string }>(
    customPlan(sql`
      select m.id from ${rangeRows(ranges)} cross join lateral (
        select m.id from messages m
        where m.id >= t.first_id and m.id < t.end_id and ${conditions(filter)} and ${afterKey(page, 'm.id')}
        order by ${order} limit ${limit}
      ) m
      order by ${order} limit ${limit}`),
  );
  return rows.map(({ id }) => id);
}

export const listLogRows = <R = LogRow>(
  db: Queryable,
  account_id: string,
  ids: readonly string[],
  page: Page,
  columns = logColumns,
) =>
  db.rows<R>(sql`
    select ${columns} from unnest(${ids}::uuid[]) t(id)
    join messages m on m.account_id = ${account_id} and m.id = t.id
    order by ${orderBy(page, SORTS, 'm.id', 'm.id desc')}`);

/** Counts the matches in the ranges, to the limit unless it is null. */
export const countInRanges = async (
  db: Queryable,
  filter: LogFilter,
  ranges: readonly IdRange[],
  limit: number | null,
): Promise<number> =>
  (
    await db.one<{ count: number }>(
      customPlan(sql`
        select count(*) from (
          select 1 from ${rangeRows(ranges)} cross join lateral (
            select 1 from messages m where m.id >= t.first_id and m.id < t.end_id and ${conditions(filter)}
          ) m limit ${limit}
        ) capped`),
    )
  ).count;

/** Counts the matches of a counted slot, by the time of creation. */
export const countInSlots = async (db: Queryable, filter: LogFilter, slots: readonly Date[]): Promise<number> =>
  (
    await db.one<{ count: number }>(
      customPlan(sql`
        select count(*) from ${slotRows(slots)} cross join lateral (
          select 1 from messages m where ${inSlot} and ${conditions(filter)}
        ) m`),
    )
  ).count;

/** Counts the matches created since a time, to the limit unless it is null. */
export const countSince = async (db: Queryable, filter: LogFilter, from: Date, limit: number | null): Promise<number> =>
  (
    await db.one<{ count: number }>(
      customPlan(sql`
        select count(*) from (
          select 1 from messages m where ${createdSince(from)} and ${conditions(filter)} limit ${limit}
        ) capped`),
    )
  ).count;

const rangeRows = (ranges: readonly IdRange[]): Sql =>
  sql`unnest(${ranges.map(({ first }) => first)}::uuid[], ${ranges.map(({ end }) => end)}::uuid[])
    as t(first_id, end_id)`;

/** Counts to the limit, or to the end if the limit is null. */
export const countLog = async (db: Queryable, filter: LogFilter, limit: number | null): Promise<number> =>
  (
    await db.one<{ count: number }>(
      customPlan(
        sql`select count(*) from (select 1 from messages m where ${conditions(filter)} limit ${limit}) capped`,
      ),
    )
  ).count;

/** Details that other queries load. */
type Loaded = 'fallbacks' | 'contact' | 'decisions' | 'consent' | 'clicks' | 'replies';

export const findMessageDetail = (db: Queryable, account_id: string, id: string) =>
  db.maybeOne<LogRow & Omit<MessageDetail, Loaded | keyof LoggedMessage> & { number: string }>(sql`
    select ${logColumns}, m.number, m.timeline, m.payload, m.expire_date, m.hold_id,
           m.possible_duplicate, c.name as campaign_name, s.name as sender_name, k.name as key_name,
           (select a.system_id from smpp_messages x
              join smpp_accounts a on a.account_id = x.account_id and a.id = x.smpp_account_id
              where m.source = 'smpp' and x.account_id = m.account_id and x.message_id = m.id) as smpp_system_id,
           (select json_build_object('month', to_char(v.month, 'YYYY-MM'), 'first_unit', m.volume_start + 1,
                                     'last_unit', m.volume_start + m.segments_count)
            from price_volumes v where v.account_id = m.account_id and v.id = m.volume_id) as volume,
           l.name as connection_name,
           nullif(concat_ws(' ', u.first_name, u.last_name), '') as user_name,
           m.attempts + coalesce(d.attempt, 0) as attempts,
           coalesce((select array_agg(x.external_id order by x.part) from submissions x
                     where x.account_id = m.account_id and x.message_id = m.id and x.external_id not like '~%'),
             '{}') as external_ids
    from messages m
    left join campaigns c on c.account_id = m.account_id and c.id = m.campaign_id
    left join senders s on s.account_id = m.account_id and s.id = m.sender_id
    left join api_keys k on k.account_id = m.account_id and k.id = m.key_id
    left join users u on u.account_id = m.account_id and u.id = m.user_id
    left join connections l on l.id = m.connection_id
    left join dispatch d on d.account_id = m.account_id and d.message_id = m.id
    where m.account_id = ${account_id} and m.id = ${id}`);

/** Returns the contact that was changed last among those with the number. A number can be in several audiences. */
export const findContactWithNumber = (db: Queryable, account_id: string, number: string) =>
  db.maybeOne<NonNullable<MessageDetail['contact']>>(sql`
    select k.id, k.audience_id, concat_ws(' ', nullif(k.first_name, ''), nullif(k.last_name, '')) as name
    from audiences a join contacts k on k.account_id = a.account_id and k.audience_id = a.id
    where a.account_id = ${account_id} and k.account_id = ${account_id} and k.number = ${number}
    order by k.update_date desc, k.id limit 1`);
