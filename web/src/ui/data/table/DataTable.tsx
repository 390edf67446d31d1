/**
 * The table used by every list, with skeleton rows while it loads, inline errors, and an empty state. A click or Enter
 * opens a row, arrow keys move between rows, and Space selects. It remembers the chosen columns and their order, and
 * renders only the visible rows of a long list. In a narrow place, rows become cards. Paging, filters, and shortcuts
 * are in kernel/list.
 */
import { type ReactNode, type Ref, Suspense, useImperativeHandle, useMemo, useRef, useState } from 'react';
import { lazyPart } from '../../feedback/lazy_part.ts';
import { usePreload } from '../../feedback/usePreload.ts';
import { useCardView } from './card_view.ts';
import { type ColumnState, useColumnChoice } from './column_choice.ts';
import type { AllRows, BulkAction, Column, RowAction, Sort } from './columns.ts';
import styles from './DataTable.module.css';
import { decimalVariables } from './decimals.ts';
import { CardHeader, HeaderRow } from './HeaderRow.tsx';
import { type RowKeys, Rows, VIRTUAL_FROM } from './Rows.tsx';
import { type Selection, useSelection } from './selection.ts';
import { FullRow, SkeletonRows } from './TableStates.tsx';

export type { Column, RowAction } from './columns.ts';

// Appears with the first selected row.
const loadBulkBar = () => import('./BulkBar.tsx');
const BulkBar = lazyPart(loadBulkBar) as unknown as typeof import('./BulkBar.tsx').default;

/** The keyboard shortcuts of a table. */
export interface TableKeys extends RowKeys {
  root: HTMLElement | null;
  /** True if the table has a row whose panel is open. */
  isOpen: boolean;
  isSelecting: boolean;
  clear: () => void;
}

export interface DataTableProps<T> {
  /** The key under which the column choice is stored. */
  id: string;
  /** The columns of a saved view, which the user's choice on this device replaces. */
  savedColumns?: ColumnState | undefined;
  /** The accessible name: "Campaigns". */
  label: string;
  columns: readonly Column<T>[];
  /** Undefined while the first page loads. */
  rows: readonly T[] | undefined;
  rowKey: (row: T) => string;
  /** Names a row for screen readers; defaults to the key. */
  rowName?: (row: T) => string;
  /** True while new rows are loading; the old rows stay visible. */
  fetching?: boolean;
  /** An ErrorState, shown instead of rows. */
  error?: ReactNode;
  empty: ReactNode;
  onOpen?: (row: T) => void;
  /** The row whose panel is open. */
  openKey?: string | null;
  actions?: readonly RowAction<T>[];
  bulk?: readonly BulkAction<T>[];
  /** All rows of the list, if there are more than on this page; bulk actions can then apply to all of them. */
  everything?: AllRows | undefined;
  sort?: Sort;
  /** Makes the titles of sortable columns buttons. */
  onSort?: ((sort: Sort) => void) | undefined;
  skeletonRows?: number;
  /** Grows with its rows instead of scrolling internally, for short tables in panels. */
  grow?: boolean;
  keys?: Ref<TableKeys>;
}

export function DataTable<T>(props: DataTableProps<T>) {
  const { id, label, columns, rows, rowKey, fetching = false, error, bulk, sort, grow } = props;
  // This is state instead of a ref because the rows need the element, and a child's effects run before its parent's ref
  // is set.
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null);
  const root = useRef<HTMLDivElement>(null);
  const isCards = useCardView(scroller);
  const choice = useColumnChoice(id, columns, props.savedColumns);
  const selection = useSelection(rows, rowKey, props.everything);
  usePreload(loadBulkBar);
  const selectable = bulk !== undefined && bulk.length > 0;
  const isSelecting = selectable && selection.rows.length > 0;
  const rowKeys = useRef<RowKeys>(null);
  useImperativeHandle(props.keys, () => ({
    root: root.current,
    isOpen: (props.openKey ?? null) !== null,
    isSelecting,
    move: (step) => rowKeys.current?.move(step),
    select: () => rowKeys.current?.select(),
    clear: selection.clear,
  }));
  const header = {
    choice,
    selection: selectable
      ? { isAll: selection.isPageSelected, isSome: isSelecting && !selection.isPageSelected }
      : undefined,
    disabled: !rows || rows.length === 0,
    onToggleAll: selection.togglePage,
    sort: sort ?? null,
    onSort: props.onSort,
  };

  return (
    <div ref={root} className={styles.root} data-list>
      {isCards && !error && rows?.length !== 0 && <CardHeader {...header} />}
      <div
        ref={setScroller}
        className={styles.scroller}
        data-grow={grow || (isCards && (rows?.length ?? 0) <= VIRTUAL_FROM) || undefined}
        // Keyboard users must be able to scroll the table even if its rows are not focusable. A group is not a
        // landmark, because a section around the table may have the same name.
        {...(props.onOpen || selectable ? {} : { tabIndex: 0, role: 'group', 'aria-label': label })}
      >
        <div className={styles.busy} data-on={fetching && rows !== undefined ? true : undefined} aria-hidden />
        <table
          className={styles.table}
          style={useMemo(() => decimalVariables(choice.shown, rows), [choice.shown, rows])}
          data-cards={isCards || undefined}
          aria-label={label}
          aria-busy={rows === undefined && !error ? true : undefined}
        >
          {!isCards && <HeaderRow {...header} />}
          <TableBody
            {...props}
            shown={choice.shown}
            isCards={isCards}
            selection={selectable ? selection : undefined}
            scroller={scroller}
            rowKeys={rowKeys}
          />
        </table>
      </div>
      {bulk && isSelecting && (
        <Suspense>
          <BulkBar selection={selection} actions={bulk} everything={props.everything} />
        </Suspense>
      )}
    </div>
  );
}

interface TableBodyProps<T> extends DataTableProps<T> {
  shown: readonly Column<T>[];
  isCards: boolean;
  /** Undefined if rows cannot be selected. */
  selection: Selection<T> | undefined;
  scroller: HTMLDivElement | null;
  rowKeys: Ref<RowKeys>;
}

/** The rows, or their error, skeleton, or empty state. */
function TableBody<T>(props: TableBodyProps<T>) {
  const { rows, rowKey, rowName = rowKey, error, empty, shown, isCards, selection, openKey = null } = props;
  const span = (isCards ? 1 : shown.length) + (selection ? 2 : 1);
  if (error) return <FullRow span={span}>{error}</FullRow>;
  if (rows === undefined) {
    const count = props.skeletonRows ?? 8;
    return <SkeletonRows count={count} columns={shown} isSelectable={selection !== undefined} isCards={isCards} />;
  }
  if (rows.length === 0) return <FullRow span={span}>{empty}</FullRow>;
  return (
    <Rows
      rows={rows}
      rowKey={rowKey}
      rowName={rowName}
      columns={shown}
      isCards={isCards}
      actions={props.actions}
      isSelected={selection?.has}
      onSelect={(key, on) => selection?.toggle(key, on)}
      openKey={openKey}
      onOpen={props.onOpen}
      scroller={props.scroller}
      span={span}
      keys={props.rowKeys}
    />
  );
}
