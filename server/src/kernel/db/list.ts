/**
 * Lists: `page`/`page_size` for people, `page_token` for programs. Totals are exact up to CAP and say so when they are not: counting
 * millions of rows for a number nobody reads would cost more than the page itself.
 */

import { DEFAULT_PAGE_SIZE } from '@parley/contract/common.ts';
import { Problem } from '@parley/contract/problem.ts';

export const CAP = 10_000;

export interface Page {
  readonly number: number;
  readonly size: number;
  /** Rows before this one have been seen; set when the caller follows `links.next` of a keyset list. */
  readonly after: string | null;
  readonly offset: number;
}

export interface Paged<T> {
  data: T[];
  pagination: { number: number; size: number; total: number; total_is_estimate?: boolean; next: string | null };
  /** What the endpoint tells besides the page (`beside` of the contract). */
  beside?: Record<string, unknown>;
}

// The key reaches SQL as what it is: anything else is refused here.
const KEYS = { id: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, number: /^\d{1,15}$/ };
const TOKEN = /^(\d{1,7})(?:\.([0-9a-f-]{1,36}))?$/;

export function pageOf(
  query: { page?: number | undefined; page_size?: number | undefined; page_token?: string | undefined } = {},
  /** What rows are known by in lists that page by key. */
  key: keyof typeof KEYS = 'id',
): Page {
  const size = query.page_size ?? DEFAULT_PAGE_SIZE;
  let number = query.page ?? 1;
  let after: string | null = null;
  if (query.page_token) {
    const token = TOKEN.exec(query.page_token);
    after = token?.[2] ?? null;
    if (!token || (after !== null && !KEYS[key].test(after)))
      throw new Problem('VALUE_INVALID', { field: 'page_token' });
    number = Math.max(1, Number(token[1]));
  }
  return { number, size, after, offset: after ? 0 : (number - 1) * size };
}

/**
 * `rows` may hold one row more than the page, to know whether there is a next one. `key` names the row to continue after, for lists that
 * page by key; without it the next page is found by its number.
 */
export function paged<T>(
  page: Page,
  rows: T[],
  total: number,
  key?: (row: T) => string,
  /** Known, not counted: right whatever its size. */
  exact = false,
): Paged<T> {
  const more = rows.length > page.size;
  const data = more ? rows.slice(0, page.size) : rows;
  const last = data[data.length - 1];
  const next = more && last ? `${page.number + 1}${key ? `.${key(last)}` : ''}` : null;
  const capped = !exact && total > CAP;
  return {
    data,
    pagination: { number: page.number, size: page.size, total, ...(capped ? { total_is_estimate: true } : {}), next },
  };
}

/** For `like`: the text as it is, its wildcards made plain. */
export const likePattern = (text: string): string => `%${text.replace(/[\\%_]/g, (char) => `\\${char}`)}%`;
export const prefixPattern = (text: string): string => `${text.replace(/[\\%_]/g, (char) => `\\${char}`)}%`;
