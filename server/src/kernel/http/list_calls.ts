/**
 * Calls the list endpoints from jobs. A list is read through its own implementation, with the parser of its own query,
 * so that a job always sees the rows, filters, and order of the screen.
 */
import type { AnyEndpoint } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import { hideSpend, seesSpend } from '@parley/contract/spend.ts';
import type { Tx } from '../db/db.ts';
import type { Count, Paged } from '../db/list.ts';
import type { Kernel } from '../kernel.ts';
import { type Actor, requireAccess } from '../security/auth.ts';
import { type Ctx, type Implementation, parseWith } from './endpoint.ts';

export interface ListCall {
  endpoint: AnyEndpoint;
  params: Record<string, string>;
  filter: Record<string, unknown>;
  sort: string | null;
  /** Counts all rows with the first page. */
  isCounted?: boolean;
}

interface ParsedCall {
  params: unknown;
  query: Record<string, unknown>;
}

/** Throws the problem that the list endpoint would report for these parameters. */
export function parseListCall({ endpoint, params, filter, sort }: ListCall): ParsedCall {
  return {
    params: parseWith('params', endpoint.params, params),
    query: parseWith('query', endpoint.query, { filter, ...(sort === null ? {} : { sort }) }) as Record<
      string,
      unknown
    >,
  };
}

/** Throws PERMISSION_REQUIRED unless the caller may view the list. */
export function requireList(actor: Actor, endpoint: AnyEndpoint): void {
  requireAccess(actor, endpoint);
  if (endpoint.audience === 'session' && actor.kind !== 'user')
    throw new Problem('PERMISSION_REQUIRED', { message: 'API keys cannot call this endpoint' });
}

export const canView = (actor: Actor, endpoint: AnyEndpoint): boolean => {
  try {
    requireList(actor, endpoint);
    return true;
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
};

/** The context of a call that no request made. */
export const makeJobContext = (kernel: Kernel, tx: Tx, actor: Actor): Ctx => ({
  tx,
  actor,
  kernel,
  request_id: '',
  address: '',
  headers: {},
  upload: null,
  get reply(): never {
    throw new Error('a job has no reply');
  },
});

/** Rows per page. At most two pages are in memory. */
const PAGE_SIZE = 1_000;
const FIRST = '1';

/**
 * Yields the pages of a list. In a transaction with `repeatable read`, all pages show the same moment. The database
 * reads the next page while the caller works on the current one.
 */
export async function* readPages(
  kernel: Kernel,
  implementation: Implementation,
  tx: Tx,
  actor: Actor,
  call: ListCall,
): AsyncGenerator<Paged<unknown>> {
  const { params, query } = parseListCall(call);
  const read = (portion: Portion) => {
    const input = { params, query: { ...query, ...portion, page_size: PAGE_SIZE }, body: undefined };
    return implementation.run(makeJobContext(kernel, tx, actor), input as never) as Promise<Paged<unknown>>;
  };
  const hide = hidesSpend(actor, call.endpoint);
  for await (const page of followPages(read, call.isCounted))
    yield hide ? { ...page, data: page.data.map(hide) } : page;
}

/** Hides amounts from a caller who may not see them. Undefined if the caller may. */
export const hidesSpend = ({ permissions }: Actor, { output }: AnyEndpoint): (<T>(item: T) => T) | undefined =>
  seesSpend(permissions) ? undefined : (item) => hideSpend(output, item);

interface Portion {
  page_token: string;
  count: Count;
}

/** Reads the next page while the caller works on the current one. */
export async function* followPages<T>(
  read: (portion: Portion) => Promise<Paged<T>>,
  isCounted = false,
): AsyncGenerator<Paged<T>> {
  const start = (page_token: string): Promise<Paged<T>> => {
    const page = read({ page_token, count: isCounted && page_token === FIRST ? 'exact' : 'none' });
    // An error is thrown when the page is awaited.
    page.catch(() => {});
    return page;
  };
  let next: Promise<Paged<T>> | null = start(FIRST);
  try {
    while (next) {
      const page: Paged<T> = await next;
      next = page.pagination.next === null ? null : start(page.pagination.next);
      yield page;
    }
  } finally {
    // The transaction must not end while it reads.
    await next?.catch(() => {});
  }
}
