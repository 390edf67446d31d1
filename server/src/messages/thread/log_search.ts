/** Finds and counts the messages of a filter, from the counted slots if these narrow it, and otherwise by an index. */
import { ID_MARGIN_MS, idAt } from '../../kernel/clock.ts';
import type { Queryable, Sql } from '../../kernel/db/db.ts';
import { CAP, type Page } from '../../kernel/db/list.ts';
import { findMark } from './counted_slots.ts';
import type { IdRange, LogFilter, LogRow } from './log_queries.ts';
import * as queries from './log_queries.ts';
import {
  type Counted,
  countedConditions,
  EVERY_MESSAGE,
  findFirstSlot,
  listRanges,
  listSpans,
  sumSlots,
} from './log_slots.ts';

const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

interface Slots {
  counted: readonly Counted[];
  first: number;
  mark: number;
}

/** `columns` are expressions of `messages m`, by default those of the log. */
export async function findLogRows<R = LogRow>(
  db: Queryable,
  filter: LogFilter,
  page: Page,
  columns?: Sql,
): Promise<R[]> {
  const slots = await findSlots(db, filter);
  if (!slots) return queries.listLogPage<R>(db, filter, page, columns);
  const needed = page.offset + page.size + 1;
  const ids: string[] = [];
  for await (const ranges of readRanges(db, filter, slots, page)) {
    ids.push(...(await queries.listIdsInRanges(db, filter, page, ranges, needed - ids.length)));
    if (ids.length >= needed) break;
  }
  return queries.listLogRows<R>(db, filter.account_id, ids.slice(page.offset), page, columns);
}

/** Counts to just above the limit of totals, or to the end. */
export async function countLogRows(db: Queryable, filter: LogFilter, exact: boolean): Promise<number> {
  const slots = await findSlots(db, filter, exact);
  if (!slots) return queries.countLog(db, filter, exact ? null : CAP + 1);
  const [single] = slots.counted;
  if (slots.counted.length === 1 && !hasOtherConditions(filter))
    return countAll(db, filter, single!, slots.mark, exact);
  let total = 0;
  for await (const ranges of readRanges(db, filter, slots)) {
    total += await queries.countInRanges(db, filter, ranges, exact ? null : CAP + 1 - total);
    if (!exact && total > CAP) break;
  }
  return total;
}

async function countAll(
  db: Queryable,
  filter: LogFilter,
  counted: Counted,
  mark: number,
  exact: boolean,
): Promise<number> {
  const { count, changed } = await sumSlots(db, filter, counted, mark);
  if (!exact && count > CAP) return count;
  const slots = changed.map((at) => new Date(at * 1000));
  const later = await queries.countSince(db, filter, new Date(mark), exact ? null : CAP + 1);
  return count + later + (slots.length > 0 ? await queries.countInSlots(db, filter, slots) : 0);
}

/** Returns null if the filter has its own index, or if the account has no counted slots. */
async function findSlots(db: Queryable, filter: LogFilter, isExactTotal = false): Promise<Slots | null> {
  if (filter.to_prefix || filter.from || filter.to || filter.template_ids?.length) return null;
  const narrowing = countedConditions(filter);
  const counted = narrowing.length === 0 && isExactTotal ? [EVERY_MESSAGE] : narrowing;
  if (counted.length === 0) return null;
  const mark = await findMark(db, filter.account_id);
  const first = mark && (await findFirstSlot(db, filter.account_id));
  return first !== null && mark ? { counted, first, mark: mark.getTime() } : null;
}

const hasOtherConditions = (filter: LogFilter): boolean =>
  !!(filter.wa_categories?.length || filter.created_date_start || filter.created_date_end);

/** The ranges of IDs that may contain matches, in the order of the page, one span of time after the other. */
async function* readRanges(
  db: Queryable,
  filter: LogFilter,
  { counted, first, mark }: Slots,
  page?: Page,
): AsyncGenerator<IdRange[]> {
  const isAscending = page?.sort === 'create_date';
  const recent = [{ first: idAt(mark), end: LAST_ID }];
  if (!isAscending) yield recent;
  const spans = listSpans(first - ID_MARGIN_MS, mark);
  for (const span of isAscending ? spans.reverse() : spans) {
    const isPassed = page?.after && (isAscending ? idAt(span.to) < page.after : idAt(span.from) > page.after);
    const ranges = isPassed ? [] : await listRanges(db, filter, counted, span);
    if (ranges.length > 0) yield ranges;
  }
  if (isAscending) yield recent;
}
