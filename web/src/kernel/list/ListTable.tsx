/**
 * FilterBar, DataTable, and Pagination connected to a `useList`, for every list page. A page that needs a different
 * layout uses the three parts directly.
 */
import type { ReactNode } from 'react';
import { useCallback } from 'react';
import { type Facet, FilterBar } from '../../ui/data/filter/FilterBar.tsx';
import { Pagination } from '../../ui/data/Pagination.tsx';
import { DataTable, type DataTableProps } from '../../ui/data/table/DataTable.tsx';
import type { List } from './list.tsx';

interface ListTableProps<T> extends Omit<DataTableProps<T>, 'rows' | 'fetching' | 'error'> {
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
  const { list, noun, search, search_debounce_ms, facets, dates, empty, emptyFiltered, tools, ...table } = props;
  const { setFilter, filter, filterList } = list;
  const onSearch = useCallback((text: string) => setFilter('search', text.trim() || null), [setFilter]);
  const hasBar = search !== undefined || facets !== undefined || dates !== undefined || tools !== undefined;
  return (
    <>
      {hasBar && (
        <FilterBar
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
          {tools}
        </FilterBar>
      )}
      <DataTable
        {...table}
        rows={list.rows}
        fetching={list.fetching}
        error={list.rows === undefined ? list.error : null}
        empty={list.isFiltered && emptyFiltered ? emptyFiltered : empty}
        skeletonRows={Math.min(list.page_size, 10)}
      />
      <Pagination
        number={list.pagination?.number ?? list.page}
        size={list.page_size}
        total={list.pagination?.total ?? 0}
        estimate={list.pagination?.total_is_estimate ?? false}
        noun={noun}
        onPage={list.setPage}
        onSize={list.setPageSize}
      />
    </>
  );
}
