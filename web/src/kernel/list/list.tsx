/**
 * The list of an endpoint's records. Page, size, search, filters, and sort order are stored in the URL, so that users
 * can link to a list, reload it, and return to it. Provides the props for FilterBar, DataTable, and Pagination.
 */
import type { AnyEndpoint, Data, Pagination } from '@parley/contract/endpoint.ts';
import type { UseQueryResult } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactElement, useCallback, useMemo } from 'react';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import type { ApiError, CallInput } from '../http/client.ts';
import { useEndpoint } from '../http/query.ts';
import { useHiddenIds } from '../http/undo.ts';
import { useExactCount } from './exact_count.ts';

type ListSearch = Record<string, string | number | undefined>;

export interface List<T> {
  rows: T[] | undefined;
  pagination: Pagination | undefined;
  /** The filter in the requests for this list, with the page's fixed filters. */
  sentFilter: Readonly<Record<string, unknown>>;
  /** The sort order in the URL; null is the list's own order. */
  sort: string | null;
  /** Undefined if the endpoint does not sort. */
  setSort: ((sort: string | null) => void) | undefined;
  /** Counts all rows. Undefined if the endpoint does not offer it. */
  countExactly: (() => void) | undefined;
  counting: boolean;
  fetching: boolean;
  refetch: () => void;
  /** An ErrorState with a Retry button, for DataTable's `error`; null if there is no error. */
  error: ReactElement | null;
  page: number;
  page_size: number;
  setPage: (page: number) => void;
  setPageSize: (size: number) => void;
  /** A filter's value in the URL. */
  filter: (name: string) => string;
  /** The values of a multi-value filter. */
  filterList: (name: string) => string[];
  setFilter: (name: string, value: string | readonly string[] | null) => void;
  /** Sets several filters, such as both ends of a range, in one history entry. */
  setFilters: (values: Readonly<Record<string, string | null>>) => void;
  clear: () => void;
  isFiltered: boolean;
  /** The filters in the URL. */
  filters: Readonly<Record<string, string>>;
  /** The saved view in the URL. */
  view: string | null;
  /** Opens a saved view, or leaves it, and replaces all filters and the order. */
  select: (view: string | null, state: Selection, options?: { replace: boolean }) => void;
  /** The part of a saved state that this version of the list knows. */
  known: (state: Selection) => Selection;
}

/** The values that select and order the rows of a list. */
export interface Selection {
  filters: Readonly<Record<string, string>>;
  sort: string | null;
}

interface ListOptions {
  /** The names of the `filter[...]` parameters in the URL. */
  filters: readonly string[];
  params?: Record<string, string>;
  /** Filters that are always sent but never appear in the URL. */
  fixed?: Record<string, unknown>;
  /** The list's name in its error message, as in "The audiences could not be loaded". */
  subject: string;
  enabled?: boolean;
  refetchInterval?: number | false;
  /** Converts the URL's filters to the endpoint's filters if they differ. */
  toFilter?: (filters: Record<string, string>) => Record<string, unknown>;
  /** Query parameters other than filters. */
  query?: Record<string, unknown>;
}

export function useList<E extends AnyEndpoint & { list: true }>(
  endpoint: E,
  options: ListOptions,
): List<Data<E> extends (infer T)[] ? T : never> {
  type T = Data<E> extends (infer U)[] ? U : never;
  const search = useSearch({ strict: false }) as ListSearch;
  const change = useSearchChange();
  const page = Number(search.page ?? 1) || 1;
  const page_size = Number(search.page_size ?? 10) || 10;
  const filters = useMemo(() => {
    const values: Record<string, string> = {};
    for (const name of options.filters)
      if (search[name] !== undefined && search[name] !== '') values[name] = String(search[name]);
    return values;
  }, [search, options.filters]);
  const filter = { ...(options.toFilter ? options.toFilter(filters) : filters), ...options.fixed };
  // An old link may name a column that can no longer be sorted.
  const known = (state: Selection) => knownSelection(state, options.filters, endpoint.sorts);
  const { sort } = known({ filters: {}, sort: search.sort === undefined ? null : String(search.sort) });

  const query = useEndpoint(
    endpoint,
    {
      ...(options.params ? { params: options.params } : {}),
      query: { page, page_size, filter, ...options.query, ...(sort === null ? {} : { sort }) },
    } as unknown as CallInput<E>,
    {
      keepPrevious: true,
      ...(options.enabled === undefined ? {} : { enabled: options.enabled }),
      ...(options.refetchInterval === undefined ? {} : { refetchInterval: options.refetchInterval }),
    },
  );

  const { shown, hiddenCount } = useShown(query.data?.data as T[] | undefined);
  const exact = useExactCount(endpoint, options.params, filter, query.data?.pagination as Pagination | undefined);
  const setFilter = useCallback(
    (name: string, value: string | readonly string[] | null) =>
      change({
        page: undefined,
        [name]: value === null ? undefined : typeof value === 'string' ? value : value.join(',') || undefined,
      }),
    [change],
  );

  return {
    rows: shown,
    pagination: exact.pagination && without(exact.pagination, hiddenCount),
    sentFilter: filter,
    sort,
    setSort: endpoint.sorts ? (next) => change({ page: undefined, sort: next ?? undefined }) : undefined,
    countExactly: endpoint.counts ? exact.count : undefined,
    counting: exact.counting,
    fetching: query.isFetching,
    refetch: () => void query.refetch(),
    error: query.error ? <LoadError subject={options.subject} query={query} /> : null,
    page,
    page_size,
    setPage: (next) => change({ page: next }),
    setPageSize: (size) => change({ page: undefined, page_size: size === 10 ? undefined : size }),
    filter: (name) => filters[name] ?? '',
    filterList: (name) => (filters[name] ? filters[name].split(',') : []),
    setFilter,
    setFilters: (values) =>
      change({
        page: undefined,
        ...Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value ?? undefined])),
      }),
    clear: () => change(Object.fromEntries([...options.filters, 'page'].map((name) => [name, undefined]))),
    isFiltered: Object.keys(filters).length > 0,
    filters,
    view: search.view === undefined ? null : String(search.view),
    select: (view, state, how = { replace: false }) =>
      change(selectionSearch(view, known(state), options.filters), how),
    known,
  };
}

function LoadError({ subject, query }: { subject: string; query: UseQueryResult<unknown, ApiError> }) {
  return (
    <ErrorState
      title={`${subject} could not be loaded`}
      onRetry={() => void query.refetch()}
      retrying={query.isFetching}
    >
      {query.error?.message}
    </ErrorState>
  );
}

const knownSelection = (state: Selection, names: readonly string[], sorts: readonly string[] = []): Selection => ({
  filters: Object.fromEntries(Object.entries(state.filters).filter(([name]) => names.includes(name))),
  sort: sorts.includes(state.sort?.replace(/^-/, '') ?? '') ? state.sort : null,
});

/** The search parameters of a saved view. */
const selectionSearch = (view: string | null, { filters, sort }: Selection, names: readonly string[]): ListSearch => ({
  ...Object.fromEntries(names.map((name) => [name, undefined])),
  ...filters,
  sort: sort ?? undefined,
  page: undefined,
  view: view ?? undefined,
});

/** The rows without those whose removal can still be undone. */
function useShown<T>(rows: T[] | undefined): { shown: T[] | undefined; hiddenCount: number } {
  const hidden = useHiddenIds();
  const shown = useMemo(() => rows?.filter((row) => !hidden.has((row as { id: string }).id)), [rows, hidden]);
  return { shown, hiddenCount: (rows?.length ?? 0) - (shown?.length ?? 0) };
}

const without = (pagination: Pagination, count: number): Pagination =>
  count === 0 ? pagination : { ...pagination, total: pagination.total - count };

/** Changes search parameters in place; empty values and the first page are omitted from the URL. */
function useSearchChange(): (changes: ListSearch, options?: { replace: boolean }) => void {
  const navigate = useNavigate();
  return useCallback(
    (changes: ListSearch, { replace } = { replace: true }) =>
      void navigate({
        to: '.',
        search: ((old: ListSearch) => {
          const next: ListSearch = { ...old, ...changes };
          for (const key of Object.keys(next)) if (next[key] === undefined || next[key] === '') delete next[key];
          if (next.page === 1) delete next.page;
          return next;
        }) as never,
        replace,
      }),
    [navigate],
  );
}
