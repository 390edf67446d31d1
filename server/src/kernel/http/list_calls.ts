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
  const read = (page_token: string): Promise<Paged<unknown>> => {
    const count: Count = call.isCounted && page_token === FIRST ? 'exact' : 'none';
    const input = { params, query: { ...query, count, page_size: PAGE_SIZE, page_token }, body: undefined };
    const page = implementation.run(makeJobContext(kernel, tx, actor), input as never) as Promise<Paged<unknown>>;
    // An error is thrown when the page is awaited.
    page.catch(() => {});
    return page;
  };
  let next: Promise<Paged<unknown>> | null = read(FIRST);
  try {
    while (next) {
      const page: Paged<unknown> = await next;
      next = page.pagination.next === null ? null : read(page.pagination.next);
      yield seesSpend(actor.permissions)
        ? page
        : { ...page, data: page.data.map((item) => hideSpend(call.endpoint.output, item)) };
    }
  } finally {
    // The transaction must not end while it reads.
    await next?.catch(() => {});
  }
}
