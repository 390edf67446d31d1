import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useCallback, useRef, useState } from 'react';
import type { Column, RowAction } from './columns.ts';
import { TableRow } from './TableRow.tsx';

/** Pages of up to 100 rows are rendered in full; longer pickers and logs render only the visible rows. */
const VIRTUAL_FROM = 150;

interface RowsProps<T> {
  rows: readonly T[];
  rowKey: (row: T) => string;
  rowName: (row: T) => string;
  columns: readonly Column<T>[];
  actions: readonly RowAction<T>[] | undefined;
  selection: ReadonlySet<string> | undefined;
  onSelect: (key: string, on: boolean) => void;
  openKey: string | null;
  onOpen: ((row: T) => void) | undefined;
  scroller: HTMLDivElement | null;
  span: number;
}

export function Rows<T>(props: RowsProps<T>) {
  const { rows, rowKey, rowName, columns, actions, selection, onSelect, openKey, onOpen, scroller, span } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const [current, setCurrent] = useState(0);
  const isVirtual = rows.length > VIRTUAL_FROM;
  const virtual = useVirtualizer({
    count: rows.length,
    enabled: isVirtual,
    getScrollElement: () => scroller,
    estimateSize: () => 44,
    overscan: 12,
  });

  // Each row's handlers keep their identity, so that selecting a row rerenders only that row.
  const select = useRef(onSelect);
  select.current = onSelect;
  const selectOne = useCallback((key: string, on: boolean) => select.current(key, on), []);
  const open = useRef(onOpen);
  open.current = onOpen;
  const openOne = useCallback((row: T) => open.current?.(row), []);

  const focusRow = (index: number) => {
    const target = Math.max(0, Math.min(rows.length - 1, index));
    if (isVirtual) virtual.scrollToIndex(target);
    requestAnimationFrame(() => body.current?.querySelector<HTMLElement>(`tr[data-index="${target}"]`)?.focus());
  };
  const move = (event: KeyboardEvent) => {
    if (!(event.target as Element).matches('tr')) return;
    const page = 10;
    const steps: Record<string, number> = {
      ArrowDown: current + 1,
      ArrowUp: current - 1,
      PageDown: current + page,
      PageUp: current - page,
      Home: 0,
      End: rows.length - 1,
    };
    const target = steps[event.key];
    if (target === undefined) return;
    event.preventDefault();
    focusRow(target);
  };

  const last = rows.length - 1;
  const draw = (row: T, index: number) => (
    <TableRow
      key={rowKey(row)}
      row={row}
      rowKey={rowKey(row)}
      index={index}
      name={rowName(row)}
      columns={columns}
      actions={actions}
      selected={selection?.has(rowKey(row))}
      isOpen={openKey === rowKey(row)}
      isCurrent={index === Math.min(current, last)}
      onOpen={onOpen ? openOne : undefined}
      onSelect={selectOne}
      onFocus={setCurrent}
    />
  );

  if (!isVirtual) {
    return (
      <tbody ref={body} onKeyDown={move}>
        {rows.map(draw)}
      </tbody>
    );
  }
  const items = virtual.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <tbody ref={body} onKeyDown={move}>
      <Spacer height={before} span={span} />
      {items.map((item) => draw(rows[item.index] as T, item.index))}
      <Spacer height={after} span={span} />
    </tbody>
  );
}

function Spacer({ height, span }: { height: number; span: number }) {
  if (height <= 0) return null;
  return (
    <tr aria-hidden>
      <td colSpan={span} style={{ height, padding: 0, border: 0 }} />
    </tr>
  );
}
