/**
 * The one table. Skeleton rows of the right shape while nothing is there, errors in place, an empty state, row click and Enter open, arrows
 * move, Space selects, columns are remembered, long lists draw only what is seen. Paging and filters live outside, in kernel/list.tsx.
 */
import { Checkbox } from '@mantine/core';
import { type ReactNode, useMemo, useState } from 'react';
import { Skeleton, skeletonWidth } from '../../feedback/Skeletons.tsx';
import { BulkBar } from './BulkBar.tsx';
import { ColumnMenu } from './ColumnMenu.tsx';
import { type BulkAction, type Column, type RowAction, useColumnChoice } from './columns.ts';
import styles from './DataTable.module.css';
import { Rows } from './Rows.tsx';

export type { BulkAction, Column, RowAction } from './columns.ts';

export interface DataTableProps<T> {
  /** Stable: under it the column choice is remembered. */
  id: string;
  /** Accessible name: "Campaigns". */
  label: string;
  columns: readonly Column<T>[];
  /** Undefined while the first answer is not there. */
  rows: readonly T[] | undefined;
  rowKey: (row: T) => string;
  /** Names a row for screen readers; the key unless given. */
  rowName?: (row: T) => string;
  /** A newer answer is on its way; the old rows stay. */
  fetching?: boolean;
  /** Shown instead of rows: an ErrorState. */
  error?: ReactNode;
  empty: ReactNode;
  onOpen?: (row: T) => void;
  /** The row whose panel is open. */
  openKey?: string | null;
  actions?: readonly RowAction<T>[];
  bulk?: readonly BulkAction<T>[];
  skeletonRows?: number;
  /** Grows with its rows instead of scrolling inside: for short tables in panels. */
  grow?: boolean;
}

export function DataTable<T>(props: DataTableProps<T>) {
  const { id, label, columns, rows, rowKey, rowName = rowKey, fetching = false, error, empty, bulk } = props;
  // In state and not in a ref: the rows need the element after it is there, and a child's effects run before its parent's ref is set.
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null);
  const choice = useColumnChoice(id, columns);
  const [selection, setSelection] = useState<ReadonlySet<string>>(new Set());
  const selectable = bulk !== undefined && bulk.length > 0;
  const chosen = useMemo(() => (rows ?? []).filter((row) => selection.has(rowKey(row))), [rows, rowKey, selection]);
  const clear = () => setSelection(new Set());
  const span = choice.shown.length + (selectable ? 2 : 1);
  const all = rows !== undefined && rows.length > 0 && chosen.length === rows.length;

  return (
    <div className={styles.root}>
      <div
        ref={setScroller}
        className={styles.scroller}
        data-grow={props.grow || undefined}
        // A region that scrolls can be reached by keyboard even when its rows cannot.
        {...(props.onOpen || selectable ? {} : { tabIndex: 0, role: 'region', 'aria-label': label })}
      >
        <div className={styles.busy} data-on={fetching && rows !== undefined ? true : undefined} aria-hidden />
        <table className={styles.table} aria-label={label} aria-busy={rows === undefined && !error ? true : undefined}>
          <thead>
            <tr>
              {selectable && (
                <th scope="col" className={styles.check}>
                  <Checkbox
                    aria-label="Select all rows of this page"
                    checked={all}
                    indeterminate={chosen.length > 0 && !all}
                    disabled={!rows || rows.length === 0}
                    onChange={() => (all ? clear() : setSelection(new Set((rows ?? []).map(rowKey))))}
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
          {error ? (
            <Whole span={span}>{error}</Whole>
          ) : rows === undefined ? (
            <Bones count={props.skeletonRows ?? 8} columns={choice.shown} selectable={selectable} />
          ) : rows.length === 0 ? (
            <Whole span={span}>{empty}</Whole>
          ) : (
            <Rows
              rows={rows}
              rowKey={rowKey}
              rowName={rowName}
              columns={choice.shown}
              actions={props.actions}
              selection={selectable ? selection : undefined}
              onSelect={(key, on) => setSelection((old) => toggled(old, key, on))}
              openKey={props.openKey ?? null}
              onOpen={props.onOpen}
              scroller={scroller}
              span={span}
            />
          )}
        </table>
      </div>
      {bulk && <BulkBar rows={chosen} actions={bulk} onClear={clear} />}
    </div>
  );
}

function toggled(set: ReadonlySet<string>, key: string, on: boolean): ReadonlySet<string> {
  const next = new Set(set);
  if (on) next.add(key);
  else next.delete(key);
  return next;
}

function Whole({ span, children }: { span: number; children: ReactNode }) {
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

function Bones<T>({
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
