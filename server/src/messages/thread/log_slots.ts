/**
 * Narrows a filter of the message log to the times at which matching messages were created, with the counted slots. The
 * log then reads the messages of these times instead of all messages, so a rare value is found without an index that
 * every message would have to write (decision 71).
 */
import { ID_MARGIN_MS, idAt } from '../../kernel/clock.ts';
import { and, customPlan, join, type Queryable, type Sql, sql } from '../../kernel/db/db.ts';
import { type Dimension, SLOT_MS } from './counted_slots.ts';
import type { IdRange, LogFilter } from './log_queries.ts';

/** A condition that can be counted: the messages with one of these values in a dimension. */
export interface Counted {
  dimension: Dimension;
  values: readonly string[] | null;
  matches: Sql;
}

const ALL: Sql = sql`messages`;
/** Every message has a channel. */
export const EVERY_MESSAGE: Counted = { dimension: 'channel', values: null, matches: ALL };

const present = (values: readonly string[] | undefined): values is readonly string[] => !!values && values.length > 0;

/** The conditions of the filter that are counted in slots. They narrow a filter only if there is at least one. */
export function countedConditions(filter: LogFilter): Counted[] {
  const ids = (values: readonly string[] | undefined) => values?.map((id) => id.toLowerCase());
  const byValue: [Dimension, readonly string[] | undefined][] = [
    ['country', filter.countries],
    ['sender', ids(filter.sender_ids)],
    ['campaign', ids(filter.campaign_ids)],
    ['status', filter.statuses],
    ['source', filter.source ? [filter.source] : undefined],
    ['network', filter.networks?.map((network) => (network === 'unknown' ? '' : network))],
    ['user', ids(filter.user_ids)],
    ['key', ids(filter.key_ids)],
    ['failure', filter.failures],
    ['price', filter.charge ? [filter.charge] : undefined],
  ];
  const counted: Counted[] = byValue.flatMap(([dimension, values]) =>
    present(values) ? [{ dimension, values, matches: ALL }] : [],
  );
  if (filter.direction)
    counted.push({
      dimension: 'channel',
      values: null,
      matches: filter.direction === 'MO' ? sql`received` : sql`messages - received`,
    });
  else if (filter.channel && counted.length === 0) counted.push(EVERY_MESSAGE);
  return counted;
}

const hasValue = ({ channel }: LogFilter, values: Counted['values']): Sql =>
  and([values && sql`value = any(${values}::text[])`, channel && sql`channel = ${channel}`]);

/**
 * Selects the slots between two times that may contain matches: those counted with at least one match for every
 * condition, and those that have changed since they were counted.
 */
async function listSlots(
  db: Queryable,
  filter: LogFilter,
  counted: readonly Counted[],
  from: number,
  to: number,
): Promise<number[]> {
  const within = (column: Sql) => sql`${column} >= ${new Date(from)} and ${column} < ${new Date(to)}`;
  const parts = counted.map(
    ({ dimension, values, matches }) => sql`
      select slot from message_counts
      where account_id = ${filter.account_id} and dimension = ${dimension} and ${within(sql`slot`)}
        and ${hasValue(filter, values)}
      group by slot having sum(${matches}) > 0`,
  );
  const rows = await db.rows<{ at: number }>(
    customPlan(sql`
      select extract(epoch from slot)::float8 as at from (
        (${join(parts, ' intersect ')})
        union
        select slot from message_count_changes
        where account_id = ${filter.account_id} and ${within(sql`slot`)}
      ) s order by 1`),
  );
  return rows.map(({ at }) => at * 1000);
}

/**
 * Counts the matches in the counted slots that have not changed, and selects the slots that have. Only for a filter
 * without other conditions.
 */
export const sumSlots = (db: Queryable, filter: LogFilter, { dimension, values, matches }: Counted, mark: number) =>
  db.one<{ count: number; changed: number[] }>(
    customPlan(sql`
      with changed as (
        select distinct slot from message_count_changes
        where account_id = ${filter.account_id} and slot < ${new Date(mark)}
      )
      select (
        select coalesce(sum(${matches}), 0)::float8 from message_counts
        where account_id = ${filter.account_id} and dimension = ${dimension} and slot < ${new Date(mark)}
          and ${hasValue(filter, values)}
          and slot not in (select slot from changed)
      ) as count,
      coalesce((select array_agg(extract(epoch from slot)::float8) from changed), '{}') as changed`),
  );

/** Time spans from the mark back to the first slot, each four times as long as the one after it. */
export function listSpans(first: number, mark: number): { from: number; to: number }[] {
  const spans: { from: number; to: number }[] = [];
  let length = 86_400_000;
  for (let to = mark; to > first; length *= 4) {
    const from = Math.max(first, to - length);
    spans.push({ from, to });
    to = from;
  }
  return spans;
}

/**
 * The ranges of IDs in a span that may contain matches, in ascending order and without overlaps. An ID may lie up to
 * ID_MARGIN_MS before or after the time by which its message is counted.
 */
export async function listRanges(
  db: Queryable,
  filter: LogFilter,
  counted: readonly Counted[],
  { from, to }: { from: number; to: number },
): Promise<IdRange[]> {
  const slots = await listSlots(db, filter, counted, from - SLOT_MS - ID_MARGIN_MS, to + ID_MARGIN_MS);
  const merged: { first: number; end: number }[] = [];
  for (const slot of slots) {
    const first = Math.max(from, slot - ID_MARGIN_MS);
    const end = Math.min(to, slot + SLOT_MS + ID_MARGIN_MS);
    const last = merged.at(-1);
    if (last && first <= last.end) last.end = Math.max(last.end, end);
    else if (first < end) merged.push({ first, end });
  }
  return merged.map(({ first, end }) => ({ first: idAt(first), end: idAt(end) }));
}

/** Returns the start of the first slot with messages, or null if none are counted. */
export async function findFirstSlot(db: Queryable, account_id: string): Promise<number | null> {
  const { at } = await db.one<{ at: number | null }>(sql`
    select extract(epoch from least(
      (select slot from message_counts where account_id = ${account_id} and dimension = 'channel'
       order by slot limit 1),
      (select slot from message_count_changes where account_id = ${account_id} order by slot limit 1)
    ))::float8 as at`);
  return at === null ? null : at * 1000;
}
