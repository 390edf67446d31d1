/**
 * Counts messages in 15-minute slots by creation time. An account's slots are counted up to its mark. The mark stays
 * before the start of today in the account's time zone, so today is always read from the messages. A slot is counted
 * again while it has open messages, and once a day for eight days, because a failed message may turn out to be
 * delivered and an inbound message may arrive days later.
 */
import { SENT_GROUPS, statusesInGroup, UNDELIVERED } from '@parley/contract/messages/statuses.ts';
import { ID_MARGIN_MS, idAt } from '../kernel/clock.ts';
import { type Db, type Queryable, type Sql, sql, type Tx } from '../kernel/db/db.ts';

const SLOT_MS = 900_000;
const DAY_MS = 86_400_000;
/** Number of slots recounted in one statement. */
const BATCH = 500;

/** Messages counted in each figure. The dashboard links a figure to these messages in the log. */
const SENT = SENT_GROUPS.flatMap(statusesInGroup);
const DELIVERED = statusesInGroup('delivered');
/**
 * Count columns for messages `m`. `sent` includes every message that was meant to be sent, regardless of its outcome.
 * `delivered` and `failed` are subsets of `sent`.
 */
export const sumColumns: Sql = sql`
  count(*) filter (where m.direction = 'MT' and m.status = any(${SENT}::text[]))::int as sent,
  count(*) filter (where m.direction = 'MT' and m.status = any(${DELIVERED}::text[]))::int as delivered,
  count(*) filter (where m.direction = 'MT' and m.status = any(${UNDELIVERED}::text[]))::int as failed,
  count(*) filter (where m.direction = 'MO')::int as received,
  coalesce(sum(m.price_micros) filter (where m.charge = 'settled'), 0)::bigint as spend_micros`;
/** Money stays held while a fallback channel may still be tried, even after delivery. */
const openCount: Sql = sql`count(*) filter (where m.status in ('scheduled', 'enroute', 'sent')
  or m.charge = 'held')::int`;

/** Selects messages by creation time through the primary key. */
export const createdSince = (from: Date): Sql =>
  sql`m.id >= ${idAt(from.getTime() - ID_MARGIN_MS)}::uuid and m.create_date >= ${from}`;
const createdBefore = (to: Date): Sql =>
  sql`m.id < ${idAt(to.getTime() + ID_MARGIN_MS)}::uuid and m.create_date < ${to}`;

/** Returns the time up to which slots are counted, or null if none are. */
export async function findMark(db: Queryable, account_id: string): Promise<Date | null> {
  const row = await db.maybeOne<{ at: number }>(
    sql`select extract(epoch from counted_until)::float8 as at from message_slot_marks
      where account_id = ${account_id}`,
  );
  return row && new Date(row.at * 1000);
}

/** Counts the due slots for all accounts. Can be repeated at any time. */
export async function countSlots(db: Db, signal?: AbortSignal, now: Date = db.clock.now()): Promise<void> {
  const accounts = await db.rows<{ id: string; today: number; mark: number | null; first: number | null }>(sql`
    select a.id, extract(epoch
      from date_trunc('day', ${now}::timestamptz at time zone a.timezone) at time zone a.timezone)::float8 as today,
           extract(epoch from k.counted_until)::float8 as mark,
           case when k.account_id is null then
             (select extract(epoch from m.create_date)::float8 from messages m where m.account_id = a.id order by m.id
               limit 1) end as first
    from accounts a left join message_slot_marks k on k.account_id = a.id`);
  for (const { id, today, mark, first } of accounts) {
    if (signal?.aborted) return;
    // Counting stops before yesterday, which is read from the messages like today. By the next day, most of yesterday's
    // open messages have reached a final status, so fewer slots need recounting.
    const target = today * 1000 - DAY_MS;
    const start = mark ?? first;
    if (start === null) continue;
    let from = Math.floor((start * 1000) / SLOT_MS) * SLOT_MS;
    while (from < target && !signal?.aborted) {
      const to = Math.min(from + DAY_MS, target);
      from = (await db.tx((tx) => advance(tx, id, from, to))) ?? target;
    }
    await recountSlots(db, id, now, target, signal);
  }
}

/** Counts slots from the mark to `to`. Returns the new mark, or null if another worker was faster. */
async function advance(tx: Tx, account_id: string, from: number, to: number): Promise<number | null> {
  await tx.run(sql`
    insert into message_slot_marks (account_id, counted_until) values (${account_id}, ${new Date(from)})
      on conflict do nothing`);
  const mark = await tx.one<{ at: number }>(sql`
    select extract(epoch from counted_until)::float8 as at from message_slot_marks where account_id = ${account_id}
    for update`);
  if (mark.at * 1000 !== from) return null;
  await tx.run(sql`
    insert into message_slots (account_id, slot, channel, sent, delivered, failed, received, spend_micros, open)
    select ${account_id}, date_bin('15 minutes', m.create_date, 'epoch'), m.channel, ${sumColumns}, ${openCount}
    from messages m
    where m.account_id = ${account_id} and ${createdSince(new Date(from))} and ${createdBefore(new Date(to))}
    group by 2, 3
    ${onConflictReplace}`);
  await tx.run(sql`update message_slot_marks set counted_until = ${new Date(to)} where account_id = ${account_id}`);
  return to;
}

const onConflictReplace: Sql = sql`
  on conflict (account_id, slot, channel) do update set
    sent = excluded.sent, delivered = excluded.delivered, failed = excluded.failed, received = excluded.received,
    spend_micros = excluded.spend_micros, open = excluded.open`;

const RECOUNT_DAYS = 8;
const HOUR_MS = 3_600_000;

/**
 * Recounts slots with open messages and, for each of the last eight days, the slots in the current hour of the day,
 * even if they are empty. This way, each slot is recounted once a day.
 */
async function recountSlots(
  db: Db,
  account_id: string,
  now: Date,
  counted_until: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const hour = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS;
  const quarters = Array.from(
    { length: RECOUNT_DAYS * 4 },
    (_, n) => hour - Math.floor(n / 4 + 1) * DAY_MS + (n % 4) * SLOT_MS,
  );
  const recountedSlots = quarters.filter((at) => at < counted_until).map((at) => at / 1_000);
  const slots = await db.rows<{ at: number }>(sql`
    select extract(epoch from slot)::float8 as at from message_slots where account_id = ${account_id} and open > 0
    union
    select at from unnest(${recountedSlots}::float8[]) as t(at)
    order by at desc`);
  for (let done = 0; done < slots.length && !signal?.aborted; done += BATCH) {
    const batch = slots.slice(done, done + BATCH).map(({ at }) => at * 1000);
    const slotRows = sql`unnest(
      ${batch.map((at) => new Date(at))}::timestamptz[], ${batch.map((at) => idAt(at - ID_MARGIN_MS))}::uuid[],
      ${batch.map((at) => idAt(at + SLOT_MS + ID_MARGIN_MS))}::uuid[]
    ) as t(slot, first_id, end_id)`;
    // A message that moved to a fallback channel may have been the last one in its slot.
    await db.run(sql`
      delete from message_slots s using ${slotRows}
      where s.account_id = ${account_id} and s.slot = t.slot and s.open > 0 and not exists (
        select from messages m
        where m.account_id = s.account_id and m.channel = s.channel and m.id >= t.first_id and m.id < t.end_id
          and m.create_date >= t.slot and m.create_date < t.slot + interval '15 minutes')`);
    await db.run(sql`
      insert into message_slots (account_id, slot, channel, sent, delivered, failed, received, spend_micros, open)
      select ${account_id}, t.slot, c.*
      from ${slotRows}
      cross join lateral (
        select m.channel, ${sumColumns}, ${openCount} from messages m
        where m.account_id = ${account_id} and m.id >= t.first_id and m.id < t.end_id
          and m.create_date >= t.slot and m.create_date < t.slot + interval '15 minutes'
        group by m.channel
      ) c
      ${onConflictReplace}`);
  }
}
