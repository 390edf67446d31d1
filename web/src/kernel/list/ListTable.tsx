/**
 * FilterBar, DataTable, and Pagination connected to a `useList`, for every list page. A page that needs a different
 * layout uses the three parts directly.
 */
import { COUNT_LIMIT } from '@parley/contract/common.ts';
import { type ReactNode, useCallback, useEffect } from 'react';
import { type Facet, FilterBar } from '../../ui/data/filter/FilterBar.tsx';
import { Pagination } from '../../ui/data/Pagination.tsx';
import { DataTable, type DataTableProps } from '../../ui/data/table/DataTable.tsx';
import type { List } from './list.tsx';
import { useListKeys } from './list_keys.ts';
import { useSavedViews } from './views/saved_views.ts';
import { ViewsMenu } from './views/ViewsMenu.tsx';

type OwnProps =
  | 'savedColumns'
  | 'rows'
  | 'fetching'
  | 'error'
  | 'everything'
  | 'sort'
  | 'onSort'
  | 'skeletonRows'
  | 'keys';

interface ListTableProps<T> extends Omit<DataTableProps<T>, OwnProps> {
  list: List<T>;
  /** The plural noun for the listed items, such as "audiences". */
  noun: string;
  /** The placeholder of the search field, which sets the filter `search`; without it, the search field is hidden. */
  search?: string;
  /** The delay before a search, to wait for more input. */
  search_debounce_ms?: number;
  /** The facets. Their keys are filter names. */
  facets?: readonly Facet[];
  /** The names of the filters for the first and last day. */
  dates?: { label: string; from: string; to: string };
  /** Shown instead of `empty` while a filter is set. */
  emptyFiltered?: ReactNode;
  /** Shown at the right end of the filter bar. */
  tools?: ReactNode;
}

export function ListTable<T>(props: ListTableProps<T>) {
  const { list, noun, search, search_debounce_ms: _, facets, dates, empty, emptyFiltered, tools, ...table } = props;
  const keys = useListKeys();
  const { pagination, rows } = list;
  const isMore = pagination?.total_is_estimate ?? false;
  const total = pagination && (isMore ? COUNT_LIMIT : pagination.total);
  useLastPage(list);
  const views = useSavedViews(list, table.id, table.columns);
  const hasBar = search !== undefined || facets !== undefined || dates !== undefined || tools !== undefined;
  return (
    <>
      {hasBar && (
        <ListBar {...props} keys={keys}>
          {views && <ViewsMenu views={views} noun={noun} />}
          {tools}
        </ListBar>
      )}
      <DataTable
        {...table}
        id={views?.table ?? table.id}
        savedColumns={views?.columns}
        keys={keys.table}
        rows={rows}
        fetching={list.fetching}
        error={rows === undefined ? list.error : null}
        empty={list.isFiltered && emptyFiltered ? emptyFiltered : empty}
        everything={
          total !== undefined && rows && total > rows.length ? { total, isMore, filter: list.sentFilter } : undefined
        }
        sort={list.sort}
        onSort={list.setSort}
        skeletonRows={Math.min(list.page_size, 10)}
      />
      <Pagination
        number={pagination?.number ?? list.page}
        size={list.page_size}
        total={total}
        isMore={isMore}
        isFailed={list.error !== null}
        hasNext={Boolean(pagination?.links.next)}
        onCount={list.countExactly}
        counting={list.counting}
        onRetry={rows !== undefined && list.error ? list.refetch : undefined}
        noun={noun}
        onPage={list.setPage}
        onSize={list.setPageSize}
      />
    </>
  );
}

interface ListBarProps<T> extends ListTableProps<T> {
  keys: ReturnType<typeof useListKeys>;
  children: ReactNode;
}

function ListBar<T>({ list, search, search_debounce_ms, facets, dates, keys, children }: ListBarProps<T>) {
  const { setFilter, filter, filterList } = list;
  const onSearch = useCallback((text: string) => setFilter('search', text.trim() || null), [setFilter]);
  return (
    <FilterBar
      searchRef={keys.search}
      {...(search === undefined
        ? {}
        : {
            search: {
              value: filter('search'),
              placeholder: search,
              onChange: onSearch,
              ...(search_debounce_ms === undefined ? {} : { debounce_ms: search_debounce_ms }),
            },
          })}
      {...(facets
        ? {
            facets,
            values: Object.fromEntries(facets.map(({ key }) => [key, filterList(key)])),
            onFacet: setFilter,
          }
        : {})}
      {...(dates
        ? {
            dates: {
              label: dates.label,
              value: { from: filter(dates.from) || null, to: filter(dates.to) || null },
              onChange: (range) => list.setFilters({ [dates.from]: range.from, [dates.to]: range.to }),
            },
          }
        : {})}
      onClear={list.clear}
    >
      {children}
    </FilterBar>
  );
}

/** Opens the last page if the page in the URL is behind it, such as after its last row was deleted. */
function useLastPage<T>({ rows, pagination, page, setPage, fetching }: List<T>): void {
  const isBehind = rows?.length === 0 && pagination !== undefined && page > 1 && pagination.total > 0 && !fetching;
  // The last page is known only if all rows were counted.
  const last = pagination && !pagination.total_is_estimate ? Math.ceil(pagination.total / pagination.size) : 1;
  const target = Math.min(page - 1, last);
  useEffect(() => {
    if (isBehind) setPage(target);
  }, [isBehind, target, setPage]);
}
