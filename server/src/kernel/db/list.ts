/**
 * Splits lists into pages: `page` and `page_size` for screens, and `page_token` for programs. Totals are exact up to
 * CAP. A list with more rows reports CAP and `total_is_estimate`, which means "more than", because counting millions of
 * rows costs more than the page itself.
 */

import { COUNT_LIMIT, DEFAULT_PAGE_SIZE } from '@parley/contract/common.ts';
import type { AnyEndpoint, SortName } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import { and, raw, type Sql, sql } from './db.ts';

export const CAP = COUNT_LIMIT;

export interface Page {
  readonly number: number;
  readonly size: number;
  /** The key of the last row on the previous page, if the caller follows `links.next` in a list paged by key. */
  readonly after: string | null;
  readonly offset: number;
  /** The requested order, as in the contract. Undefined is the list's own order. */
  readonly sort: string | undefined;
  /** The number of rows to count for the total, as a `limit`. Null counts all rows. */
  readonly count_limit: number | null;
}

/** Jobs read many pages, so they count all rows with the first page and none with the others. */
export type Count = 'exact' | 'none';

export interface Paged<T> {
  data: T[];
  pagination: { number: number; size: number; total: number; total_is_estimate?: boolean; next: string | null };
  /** Additional data in the response (`beside` in the contract). */
  beside?: Record<string, unknown>;
}

// The key becomes part of a statement, so only these formats are accepted.
const KEYS = { id: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, number: /^\d{1,15}$/ };
const TOKEN = /^(\d{1,7})(?:\.([0-9a-f-]{1,36}))?$/;

export function readPage(
  query: {
    page?: number | undefined;
    page_size?: number | undefined;
    page_token?: string | undefined;
    sort?: string | undefined;
    count?: Count | undefined;
  } = {},
  /** The type of key, for lists that are paged by key. */
  key: keyof typeof KEYS = 'id',
): Page {
  const size = query.page_size ?? DEFAULT_PAGE_SIZE;
  let number = query.page ?? 1;
  let after: string | null = null;
  if (query.page_token) {
    const token = TOKEN.exec(query.page_token);
    after = token?.[2] ?? null;
    if (!token || (after !== null && !(KEYS[key].test(after) && isByKey(query.sort))))
      throw new Problem('VALUE_INVALID', { field: 'page_token' });
    number = Math.max(1, Number(token[1]));
  }
  const count_limit = query.count === undefined ? CAP + 1 : COUNT_LIMITS[query.count];
  return { number, size, after, offset: after ? 0 : (number - 1) * size, sort: query.sort, count_limit };
}

const COUNT_LIMITS: Readonly<Record<Count, number | null>> = { exact: null, none: 0 };

/** In a list paged by key, the key is in the order of creation. Other orders are paged by number. */
const isByKey = (sort: string | undefined): boolean => sort === undefined || /^-?create_date$/.test(sort);

/** The condition for rows after the previous page, in a list paged by a key whose own order is newest first. */
export const afterKey = ({ after, sort }: Page, column: string): Sql =>
  after === null ? raw('true') : sql`${raw(column)} ${raw(sort === 'create_date' ? '>' : '<')} ${after}::uuid`;

/** SQL expressions. `digits` is a column with an index that uses `text_pattern_ops`. */
type Sort = string | readonly string[] | { readonly digits: string };
/** The sort expressions of a list for each name in the contract. */
export type Sorts<E extends AnyEndpoint> = Readonly<Record<SortName<E>, Sort>>;

/**
 * The `order by` expressions of a page: the requested order with ties in the order of the key, or the list's own order.
 * Every expression is the beginning of an index of the account, or the account has few rows (decision 17).
 */
export function orderBy(page: Page, sorts: Readonly<Record<string, Sort>>, key: string, own: string): Sql {
  if (page.sort === undefined) return raw(own);
  const descending = page.sort.startsWith('-');
  const sort = sorts[descending ? page.sort.slice(1) : page.sort];
  if (sort === undefined) throw new Error(`the list cannot be sorted by ${page.sort}`);
  const direction = descending ? ' desc' : '';
  const columns =
    typeof sort === 'object' && 'digits' in sort
      ? [`${sort.digits} using ${descending ? '~>~' : '~<~'}`]
      : [sort].flat().map((column) => `${column}${direction}`);
  return raw([...columns, `${key}${direction}`].join(', '));
}

/**
 * `rows` may contain one more row than the page, which shows that there is a next page. `key` returns a row's key in
 * lists that are paged by key. Without `key`, the next page is found by its number.
 */
export function paged<T>(
  page: Page,
  rows: T[],
  total: number,
  key?: (row: T) => string,
  /** True if the total is stored instead of counted. A stored total is exact at any size. */
  exact = false,
): Paged<T> {
  const more = rows.length > page.size;
  const data = more ? rows.slice(0, page.size) : rows;
  const last = data[data.length - 1];
  const next = more && last ? `${page.number + 1}${key && isByKey(page.sort) ? `.${key(last)}` : ''}` : null;
  return { data, pagination: { number: page.number, size: page.size, ...counted(page, rows, total, exact), next } };
}

/** The last page of a list shows the exact number of rows, even above the cap. */
function counted(page: Page, rows: readonly unknown[], total: number, exact: boolean) {
  if (exact || page.count_limit === null || total <= CAP) return { total };
  if (page.after === null && rows.length > 0 && rows.length <= page.size) return { total: page.offset + rows.length };
  return { total: CAP, total_is_estimate: true };
}

/** Returns a `like` pattern that matches the text literally. */
export const likePattern = (text: string): string => `%${text.replace(/[\\%_]/g, (char) => `\\${char}`)}%`;
export const prefixPattern = (text: string): string => `${text.replace(/[\\%_]/g, (char) => `\\${char}`)}%`;

/** Numbers that begin with the digits, as a range, because indexes have the collation of the database. */
export const numberRange = (column: Sql, digits: string): Sql =>
  and([
    sql`${column} >= ${digits}`,
    // All nines have no successor of the same length.
    !/^9*$/.test(digits) && sql`${column} < ${String(BigInt(digits) + 1n).padStart(digits.length, '0')}`,
    sql`${column} like ${prefixPattern(digits)}`,
  ]);
