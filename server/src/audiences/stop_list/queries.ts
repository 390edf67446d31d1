import type { listStopList, StopListEntry } from '@parley/contract/audiences/stop_list.ts';
import { newId } from '../../kernel/clock.ts';
import { and, type Queryable, raw, sql, type Tx } from '../../kernel/db/db.ts';
import { orderBy, type Page, prefixPattern, type Sorts } from '../../kernel/db/list.ts';

export interface Stop {
  account_id: string;
  /** The digits with the country code. */
  number: string;
  /** Null means all senders. */
  sender_id: string | null;
  reason: StopListEntry['reason'];
  /** The recipient's opt-out message. */
  text?: string;
  message_id?: string | null;
  user_id?: string | null;
}

type StopRow = Omit<StopListEntry, 'country'>;
type StopFilter = { search: string; sender_id: string };

const columns = raw(
  `l.id, l.account_id, l.number, l.sender_id, s.name as sender_name, l.reason, l.text, l.message_id, l.create_date`,
);
const withSender = raw(`stop_list l left join senders s on s.account_id = l.account_id and s.id = l.sender_id`);

/**
 * Checks a whole batch in one statement. The numbers are on the left side of the query, so each number takes a single
 * index lookup.
 */
export const listStopped = (db: Queryable, account_id: string, sender_id: string, numbers: readonly string[]) =>
  db.rows<{ number: string }>(sql`
    select n.number from unnest(${numbers}::text[]) as n(number)
    where exists (select 1 from stop_list l where l.account_id = ${account_id} and l.number = n.number
                  and (l.sender_id is null or l.sender_id = ${sender_id}))`);

/** The stops of these numbers, for one sender or for all. */
export const listStopsWithNumber = (db: Queryable, account_id: string, numbers: readonly string[]) =>
  db.rows<{ number: string; sender_id: string | null }>(sql`
    select l.number, l.sender_id
    from unnest(${numbers}::text[]) as n(number)
    cross join lateral (
      select number, sender_id from stop_list where account_id = ${account_id} and number = n.number offset 0
    ) l`);

/** Serializes changes to an account's number pools. */
export const lockPools = (tx: Tx, account_id: string) =>
  tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${account_id}, 7302))`);

/**
 * Returns the id of the number's pool, or of the number itself, and keeps it unchanged until the transaction ends. The
 * lock is a separate statement, so that the query after it sees changes that were committed while it waited.
 */
export async function findPoolId(tx: Tx, account_id: string, sender_id: string): Promise<string> {
  await tx.run(sql`select pg_advisory_xact_lock_shared(hashtextextended(${account_id}, 7302))`);
  const row = await tx.maybeOne<{ pool_id: string }>(
    sql`select pool_id from number_pool_members where account_id = ${account_id} and sender_id = ${sender_id}`,
  );
  return row?.pool_id ?? sender_id;
}

/** Inserts a stop. If the number is already stopped for all senders, no stop for a single sender is added. */
export const insertStop = async (tx: Tx, id: string, stop: Required<Stop>): Promise<boolean> =>
  (await tx.run(sql`
    insert into stop_list (account_id, id, number, sender_id, reason, text, message_id, user_id, create_date)
    select ${stop.account_id}, ${id}, ${stop.number}::text, ${stop.sender_id}::uuid, ${stop.reason}, ${stop.text},
           ${stop.message_id}::uuid, ${stop.user_id}::uuid, ${tx.now}
    where not exists (select 1 from stop_list where account_id = ${stop.account_id} and number = ${stop.number}
      and sender_id is null)
    on conflict (account_id, number, sender_id) do nothing`)) > 0;

/** Adds numbers to the stop list for all senders, with their history. Returns how many were not on it. */
export const insertStops = (
  tx: Tx,
  { account_id, user_id, reason }: { account_id: string; user_id: string | null; reason: StopListEntry['reason'] },
  numbers: readonly string[],
): Promise<number> =>
  tx.run(sql`
    with stopped as (
      insert into stop_list (account_id, id, number, sender_id, reason, text, user_id, create_date)
      select ${account_id}::uuid, id, number, null, ${reason}, '', ${user_id}::uuid, ${tx.now}::timestamptz
      from unnest(${numbers.map(() => newId())}::uuid[], ${numbers}::text[]) as t(id, number) order by number
      on conflict (account_id, number, sender_id) do nothing
      returning *
    )
    insert into stop_list_history (account_id, id, number, sender_id, change, reason, text, user_id, create_date)
    select account_id, id, number, sender_id, 'stopped', reason, text, user_id, create_date from stopped`);

/** Copies one sender's stops to another sender, with their reasons. Existing stops stay unchanged. */
export async function copyStops(tx: Tx, account_id: string, from: string, to: string): Promise<void> {
  const stops = await tx.rows<{ id: string }>(
    sql`select id from stop_list where account_id = ${account_id} and sender_id = ${from} order by number`,
  );
  if (stops.length === 0) return;
  await tx.run(sql`
    with copied as (
      insert into stop_list (account_id, id, number, sender_id, reason, text, message_id, user_id, create_date)
      select s.account_id, t.new_id, s.number, ${to}, s.reason, s.text, s.message_id, s.user_id, s.create_date
      from unnest(${stops.map(({ id }) => id)}::uuid[], ${stops.map(() => newId())}::uuid[]) as t(id, new_id)
      join stop_list s on s.account_id = ${account_id} and s.id = t.id
      order by s.number
      on conflict (account_id, number, sender_id) do nothing
      returning *
    )
    insert into stop_list_history (account_id, id, number, sender_id, change, reason, text, message_id, user_id,
      create_date)
    select account_id, id, number, sender_id, 'stopped', reason, text, message_id, user_id, ${tx.now} from copied`);
}

/** Copies the opt-outs of a number to the new number of the person. Existing opt-outs stay unchanged. */
export async function copyNumberStops(tx: Tx, account_id: string, before: string, after: string): Promise<void> {
  const stops = await tx.rows<{ id: string }>(
    sql`select id from stop_list where account_id = ${account_id} and number = ${before} order by id`,
  );
  if (stops.length === 0) return;
  await tx.run(sql`
    with copied as (
      insert into stop_list (account_id, id, number, sender_id, reason, text, message_id, user_id, create_date)
      select s.account_id, t.new_id, ${after}, s.sender_id, s.reason, s.text, s.message_id, s.user_id, s.create_date
      from unnest(${stops.map(({ id }) => id)}::uuid[], ${stops.map(() => newId())}::uuid[]) as t(id, new_id)
      join stop_list s on s.account_id = ${account_id} and s.id = t.id
      on conflict (account_id, number, sender_id) do nothing
      returning *
    )
    insert into stop_list_history (account_id, id, number, sender_id, change, reason, text, message_id, user_id,
      create_date)
    select account_id, id, number, sender_id, 'stopped', reason, text, message_id, user_id, ${tx.now} from copied`);
}

export const deleteOptOuts = async (tx: Tx, stop: { account_id: string; number: string; sender_id: string }) =>
  (await tx.run(sql`
    delete from stop_list where account_id = ${stop.account_id} and number = ${stop.number}
      and reason in ('keyword', 'carrier', 'link')
      and (sender_id = ${stop.sender_id} or sender_id is null)`)) > 0;

export const deleteStop = (tx: Tx, account_id: string, id: string) =>
  tx.maybeOne<{ number: string; sender_id: string | null }>(sql`
    delete from stop_list where account_id = ${account_id} and id = ${id} returning number, sender_id`);

export const findApiStop = async (db: Queryable, account_id: string, number: string, text: string) =>
  (
    await db.maybeOne<{ id: string }>(sql`
      select id from stop_list where account_id = ${account_id} and number = ${number} and sender_id is null
        and reason = 'api' and text = ${text}`)
  )?.id ?? null;

export const insertStopHistory = (tx: Tx, id: string, stop: Required<Stop>, change: 'stopped' | 'started') =>
  tx.run(sql`
    insert into stop_list_history (account_id, id, number, sender_id, change, reason, text, message_id, user_id,
      create_date)
    values (${stop.account_id}, ${id}, ${stop.number}, ${stop.sender_id}, ${change}, ${stop.reason}, ${stop.text},
            ${stop.message_id}, ${stop.user_id}, ${tx.now})`);

export const findStop = (db: Queryable, account_id: string, id: string) =>
  db.one<StopRow>(sql`select ${columns} from ${withSender} where l.account_id = ${account_id} and l.id = ${id}`);

const SORTS: Sorts<typeof listStopList> = {
  number: { digits: 'l.number' },
  create_date: 'l.id',
};

export const listStops = (db: Queryable, account_id: string, filter: StopFilter, page: Page) =>
  db.rows<StopRow>(sql`
    select ${columns} from ${withSender} where ${conditions(account_id, filter)}
    order by ${orderBy(page, SORTS, 'l.id', 'l.id desc')} offset ${page.offset} limit ${page.size + 1}`);

export const countStops = async (db: Queryable, account_id: string, filter: StopFilter, page: Page): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) from (
        select 1 from stop_list l where ${conditions(account_id, filter)} limit ${page.count_limit}) capped`)
  ).count;

const conditions = (account_id: string, { search, sender_id }: StopFilter) =>
  and([
    sql`l.account_id = ${account_id}`,
    // Compares only the digits of the number and ignores plus signs, brackets, and spaces.
    search !== '' && sql`l.number like ${prefixPattern(search.replace(/[^\p{L}\p{N}]/gu, '') || '-')}`,
    // Compared as text, so that a malformed id matches nothing.
    sender_id !== '' &&
      (sender_id === 'all' ? sql`l.sender_id is null` : sql`l.sender_id::text = ${sender_id.toLowerCase()}`),
  ]);

export const hasSender = async (db: Queryable, account_id: string, id: string): Promise<boolean> =>
  (await db.maybeOne(sql`select 1 from senders where account_id = ${account_id} and id = ${id}`)) !== null;
