/**
 * Counts messages in 15-minute slots by creation time, once per dimension. An account's slots are counted up to its
 * mark. The mark stays 14 hours behind the present, so that most messages have reached their final status when they are
 * counted. If a counted message changes later, a trigger notes its slot. Readers count
 * noted slots from the messages, so figures are exact at all times (decision 43).
 */
import { CHART_DIMENSIONS, type ChartDimension } from '@parley/contract/insights/charts.ts';
import { SENT_GROUPS, statusesInGroup, UNDELIVERED } from '@parley/contract/messages/statuses.ts';
import { type Db, join, type Queryable, raw, type Sql, sql, type Tx } from '../kernel/db/db.ts';
import {
  createdBefore,
  createdSince,
  dimensionValue,
  findMark,
  inSlot,
  SLOT_MS,
  slotRows,
} from '../messages/messages.ts';

const DAY_MS = 86_400_000;
/** The age at which a message is counted. The triggers note changes of messages older than 12 hours. */
const FINAL_MS = 14 * 3_600_000;
/** Number of slots recounted in one transaction. */
const BATCH = 500;

/** Messages counted in each figure. The screens link a figure to these messages in the log. */
const SENT = SENT_GROUPS.flatMap(statusesInGroup);
const DELIVERED = statusesInGroup('delivered');

/** The figures of messages `m`, in the order of the columns of `message_counts`. */
export const figureColumns: Sql = sql`
  count(*)::int as messages,
  count(*) filter (where m.direction = 'MT' and m.status = any(${SENT}::text[]))::int as sent,
  count(*) filter (where m.direction = 'MT' and m.status = any(${DELIVERED}::text[]))::int as delivered,
  count(*) filter (where m.direction = 'MT' and m.status = 'read')::int as read,
  count(*) filter (where m.direction = 'MT' and m.status = any(${UNDELIVERED}::text[]))::int as failed,
  count(*) filter (where m.direction = 'MO')::int as received,
  coalesce(sum(m.segments_count), 0)::int as segments,
  coalesce(sum(m.price_micros) filter (where m.charge = 'settled'), 0)::bigint as spend_micros`;

/**
 * The upper ends of the ranges, in seconds, in which delays are counted. A delay is counted as its range, so that the
 * delays of any period and route add up.
 */
export const DELAY_STEPS = [
  ...[1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 120, 150, 180, 240, 300, 420, 600, 900],
  ...[1_200, 1_800, 2_700, 3_600, 5_400, 7_200, 10_800, 14_400, 21_600, 43_200, 86_400, 172_800, 259_200],
];
/** The delay of a delivered message `m`; null for other messages. */
const delayStep = `(
  select width_bucket(extract(epoch from min((e->>'at')::timestamp) at time zone 'UTC'
    - greatest(m.create_date, m.schedule)), array[${DELAY_STEPS.join(', ')}]::numeric[])
  from jsonb_array_elements(m.timeline) e
  where m.status in ('delivered', 'read') and e->>'status' in ('delivered', 'read'))`;

/** The dimensions that only this module reads. */
export type DelayDimension = 'delay_route' | 'delay_network';
const DELAYS: Readonly<Record<DelayDimension, string>> = {
  delay_route: `m.connection_id || ' ' || ${delayStep}`,
  delay_network: `coalesce(m.mccmnc, '') || ' ' || ${delayStep}`,
};
const isDelay = (name: ChartDimension | DelayDimension): name is DelayDimension => name in DELAYS;
/** The value of messages `m` in a dimension; null if they do not count in it. */
export const chartValue = (dimension: ChartDimension | DelayDimension): Sql =>
  isDelay(dimension) ? raw(DELAYS[dimension]) : dimensionValue(dimension);
const DIMENSIONS = [...CHART_DIMENSIONS, 'delay_route', 'delay_network'] as const;
const allValues: Sql = join(
  DIMENSIONS.map((dimension) => sql`(${dimension}, ${chartValue(dimension)})`),
  ', ',
);

interface Due {
  id: string;
  today: number;
  /** Null: the account has no messages. */
  start: number | null;
  changed: boolean;
}

const findDue = (db: Queryable, now: Date, condition: Sql): Promise<Due[]> =>
  db.rows<Due>(sql`
    select a.id, extract(epoch
      from date_trunc('day', ${now}::timestamptz at time zone a.timezone) at time zone a.timezone)::float8 as today,
           extract(epoch from coalesce(k.counted_until,
             (select m.create_date from messages m where m.account_id = a.id order by m.id limit 1)))::float8 as start,
           exists (select from message_count_changes c where c.account_id = a.id) as changed
    from accounts a left join message_count_marks k on k.account_id = a.id where ${condition}`);

const readTarget = ({ today }: Due, now: Date): number =>
  Math.max(today * 1000 - DAY_MS, Math.floor((now.getTime() - FINAL_MS) / SLOT_MS) * SLOT_MS);

/** Counts the due slots for all accounts. Can be repeated at any time. */
export async function countSlots(db: Db, signal?: AbortSignal, now: Date = db.clock.now()): Promise<void> {
  for (const account of await findDue(db, now, sql`true`)) {
    const { id, start, changed } = account;
    if (signal?.aborted) return;
    const target = readTarget(account, now);
    if (start === null) continue;
    let from = Math.floor((start * 1000) / SLOT_MS) * SLOT_MS;
    while (from < target && !signal?.aborted) {
      const to = Math.min(from + DAY_MS, target);
      from = (await db.tx((tx) => advance(tx, id, from, to))) ?? target;
    }
    if (changed) while (!signal?.aborted && (await db.tx((tx) => recountChanged(tx, id))) === BATCH);
  }
}

/** Counts the due slots of one account in the transaction that has inserted its past messages. */
export async function countPast(tx: Tx, account_id: string): Promise<void> {
  const [account] = await findDue(tx, tx.now, sql`a.id = ${account_id}`);
  if (!account || account.start === null) return;
  const from = Math.floor((account.start * 1000) / SLOT_MS) * SLOT_MS;
  const target = readTarget(account, tx.now);
  if (from < target) await advance(tx, account_id, from, target);
}

/** Counts slots from the mark to `to`. Returns the new mark, or null if another worker was faster. */
async function advance(tx: Tx, account_id: string, from: number, to: number): Promise<number | null> {
  await tx.run(sql`
    insert into message_count_marks (account_id, counted_until) values (${account_id}, ${new Date(from)})
      on conflict do nothing`);
  const mark = await lockMark(tx, account_id);
  if (mark?.getTime() !== from) return null;
  await tx.run(sql`
    insert into message_counts (account_id, dimension, slot, channel, value, messages, sent, delivered, read, failed,
      received, segments, spend_micros)
    select ${account_id}, d.dimension, date_bin('15 minutes', m.create_date, 'epoch'), m.channel, d.value,
           ${figureColumns}
    from messages m cross join lateral (values ${allValues}) d(dimension, value)
    where m.account_id = ${account_id} and ${createdSince(new Date(from))} and ${createdBefore(new Date(to))}
      and d.value is not null
    group by 2, 3, 4, 5`);
  await tx.run(sql`
    update message_count_marks set counted_until = ${new Date(to)} where account_id = ${account_id}`);
  return to;
}

/** The lock keeps two workers from counting the same slots. */
async function lockMark(tx: Tx, account_id: string): Promise<Date | null> {
  await tx.run(sql`select from message_count_marks where account_id = ${account_id} for update`);
  return findMark(tx, account_id);
}

/**
 * Counts a batch of changed slots again and returns its size. The notes are deleted before the messages are read: a
 * change that commits in between keeps its note.
 */
async function recountChanged(tx: Tx, account_id: string): Promise<number> {
  const mark = await lockMark(tx, account_id);
  if (mark === null) return 0;
  const rows = await tx.rows<{ at: number }>(sql`
    with due as (
      select distinct slot from message_count_changes where account_id = ${account_id} and slot < ${mark}
      order by slot desc limit ${BATCH}
    ), gone as (
      delete from message_count_changes c using due
      where c.account_id = ${account_id} and c.slot = due.slot
    )
    select extract(epoch from slot)::float8 as at from due`);
  if (rows.length === 0) return 0;
  const slots = rows.map(({ at }) => new Date(at * 1000));
  await tx.run(sql`
    delete from message_counts
    where account_id = ${account_id} and dimension = any(${DIMENSIONS}::text[])
      and slot = any(${slots}::timestamptz[])`);
  await tx.run(sql`
    insert into message_counts (account_id, dimension, slot, channel, value, messages, sent, delivered, read, failed,
      received, segments, spend_micros)
    select ${account_id}, c.*
    from ${slotRows(slots)}
    cross join lateral (
      select d.dimension, t.slot, m.channel, d.value, ${figureColumns}
      from messages m cross join lateral (values ${allValues}) d(dimension, value)
      where m.account_id = ${account_id} and ${inSlot} and d.value is not null
      group by 1, 3, 4
    ) c`);
  return rows.length;
}
