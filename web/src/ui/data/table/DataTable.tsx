/**
 * The table used by every list, with skeleton rows while it loads, inline errors, and an empty state. A click or Enter
 * opens a row, arrow keys move between rows, and Space selects. It remembers the chosen columns and renders only the
 * visible rows of a long list. Paging and filters are in kernel/list.
 */
import { Checkbox } from '@mantine/core';
import { type ReactNode, useMemo, useState } from 'react';
import { Skeleton, skeletonWidth } from '../../feedback/Skeletons.tsx';
import { BulkBar } from './BulkBar.tsx';
import { ColumnMenu } from './ColumnMenu.tsx';
import { type BulkAction, type Column, type ColumnChoice, type RowAction, useColumnChoice } from './columns.ts';
import styles from './DataTable.module.css';
import { Rows } from './Rows.tsx';

export type { Column, RowAction } from './columns.ts';

export interface DataTableProps<T> {
  /** The key under which the column choice is stored. */
  id: string;
  /** The accessible name, such as "Campaigns". */
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
  skeletonRows?: number;
  /** Grows with its rows instead of scrolling internally, for short tables in panels. */
  grow?: boolean;
}

export function DataTable<T>(props: DataTableProps<T>) {
  const { id, label, columns, rows, rowKey, rowName = rowKey, fetching = false, error, empty, bulk } = props;
  // This is state instead of a ref because the rows need the element, and a child's effects run before its parent's ref
  // is set.
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null);
  const choice = useColumnChoice(id, columns);
  const [selection, setSelection] = useState<ReadonlySet<string>>(new Set());
  const selectable = bulk !== undefined && bulk.length > 0;
  const selectedRows = useMemo(
    () => (rows ?? []).filter((row) => selection.has(rowKey(row))),
    [rows, rowKey, selection],
  );
  const clear = () => setSelection(new Set());
  const columnCount = choice.shown.length + (selectable ? 2 : 1);
  const allSelected = rows !== undefined && rows.length > 0 && selectedRows.length === rows.length;

  return (
    <div className={styles.root}>
      <div
        ref={setScroller}
        className={styles.scroller}
        data-grow={props.grow || undefined}
        // Keyboard users must be able to reach a scrolling region even if its rows are not focusable.
        {...(props.onOpen || selectable ? {} : { tabIndex: 0, role: 'region', 'aria-label': label })}
      >
        <div className={styles.busy} data-on={fetching && rows !== undefined ? true : undefined} aria-hidden />
        <table className={styles.table} aria-label={label} aria-busy={rows === undefined && !error ? true : undefined}>
          <HeaderRow
            columns={columns}
            choice={choice}
            selection={selectable ? { all: allSelected, some: selectedRows.length > 0 && !allSelected } : undefined}
            disabled={!rows || rows.length === 0}
            onToggleAll={() => (allSelected ? clear() : setSelection(new Set((rows ?? []).map(rowKey))))}
          />
          {error ? (
            <FullRow span={columnCount}>{error}</FullRow>
          ) : rows === undefined ? (
            <SkeletonRows count={props.skeletonRows ?? 8} columns={choice.shown} selectable={selectable} />
          ) : rows.length === 0 ? (
            <FullRow span={columnCount}>{empty}</FullRow>
          ) : (
            <Rows
              rows={rows}
              rowKey={rowKey}
              rowName={rowName}
              columns={choice.shown}
              actions={props.actions}
              selection={selectable ? selection : undefined}
              onSelect={(key, on) => setSelection((old) => toggle(old, key, on))}
              openKey={props.openKey ?? null}
              onOpen={props.onOpen}
              scroller={scroller}
              span={columnCount}
            />
          )}
        </table>
      </div>
      {bulk && <BulkBar rows={selectedRows} actions={bulk} onClear={clear} />}
    </div>
  );
}

interface HeaderRowProps<T> {
  columns: readonly Column<T>[];
  choice: ColumnChoice<T>;
  /** Undefined if rows cannot be selected. */
  selection: { all: boolean; some: boolean } | undefined;
  disabled: boolean;
  onToggleAll: () => void;
}

function HeaderRow<T>({ columns, choice, selection, disabled, onToggleAll }: HeaderRowProps<T>) {
  return (
    <thead>
      <tr>
        {selection && (
          <th scope="col" className={styles.check}>
            <Checkbox
              aria-label="Select all rows on this page"
              checked={selection.all}
              indeterminate={selection.some}
              disabled={disabled}
              onChange={onToggleAll}
            />
          </th>
        )}
        {choice.shown.map((column) => (
          <th
            key={column.key}
            scope="col"
            data-align={column.align}
            data-wide={column.narrow === false || undefined}
            style={column.width === undefined ? undefined : { width: column.width }}
          >
            {column.title}
          </th>
        ))}
        <th scope="col" className={styles.menuCell}>
          <ColumnMenu columns={columns} choice={choice} />
        </th>
      </tr>
    </thead>
  );
}

function toggle(set: ReadonlySet<string>, key: string, on: boolean): ReadonlySet<string> {
  const next = new Set(set);
  if (on) next.add(key);
  else next.delete(key);
  return next;
}

function FullRow({ span, children }: { span: number; children: ReactNode }) {
  return (
    <tbody>
      <tr>
        <td colSpan={span} className={styles.whole}>
          {children}
        </td>
      </tr>
    </tbody>
  );
}

function SkeletonRows<T>({
  count,
  columns,
  selectable,
}: {
  count: number;
  columns: readonly Column<T>[];
  selectable: boolean;
}) {
  return (
    <tbody aria-hidden>
      {Array.from({ length: count }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike
        <tr key={row} className={styles.row}>
          {selectable && <td className={styles.check} />}
          {columns.map((column, index) => (
            <td key={column.key} data-align={column.align} data-wide={column.narrow === false || undefined}>
              <Skeleton width={skeletonWidth(row, index)} />
            </td>
          ))}
          <td className={styles.menuCell} />
        </tr>
      ))}
    </tbody>
  );
}
