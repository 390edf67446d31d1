import {
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  type RefObject,
  Suspense,
  useCallback,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';
import { lazyPart } from '../../feedback/lazy_part.ts';
import { offerList } from '../../layout/panel_list.ts';
import type { Column, RowAction } from './columns.ts';
import { TableRow } from './TableRow.tsx';

// Lazy, because few lists are that long.
const VirtualRows = lazyPart(() => import('./VirtualRows.tsx'));

/** Pages of up to 100 rows are rendered in full; longer pickers and logs render only the visible rows. */
export const VIRTUAL_FROM = 150;

/** The keyboard shortcuts of the rows. */
export interface RowKeys {
  /** Moves the focus, and the open panel if there is one, to a row further down (or up, if negative). */
  move: (step: number) => void;
  /** Selects or deselects the focused row. */
  select: () => void;
}

/** Reports the height of a row. */
export type Measure = (element: HTMLTableRowElement | null) => void;

interface RowsProps<T> {
  rows: readonly T[];
  rowKey: (row: T) => string;
  rowName: (row: T) => string;
  columns: readonly Column<T>[];
  isCards: boolean;
  actions: readonly RowAction<T>[] | undefined;
  /** Undefined if rows cannot be selected. */
  isSelected: ((key: string) => boolean) | undefined;
  onSelect: (key: string, on: boolean) => void;
  openKey: string | null;
  onOpen: ((row: T) => void) | undefined;
  scroller: HTMLDivElement | null;
  span: number;
  keys: Ref<RowKeys>;
}

export function Rows<T>(props: RowsProps<T>) {
  const { rows, rowKey, rowName, columns, isCards, actions, isSelected, onSelect, openKey, onOpen, scroller } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const [current, setCurrent] = useState(0);
  const isVirtual = rows.length > VIRTUAL_FROM;
  // Each row's handlers keep their identity, so that selecting a row rerenders only that row.
  const select = useRef(onSelect);
  select.current = onSelect;
  const selectOne = useCallback((key: string, on: boolean) => select.current(key, on), []);
  const open = useRef(onOpen);
  open.current = onOpen;
  const openOne = useCallback((row: T) => open.current?.(row), []);

  const last = rows.length - 1;
  const scrollTo = useRef<(index: number) => void>(undefined);
  const move = useRowKeys(props, body, Math.min(current, last), scrollTo);
  const draw = (row: T, index: number, measure?: Measure): ReactNode => (
    <TableRow
      key={rowKey(row)}
      row={row}
      rowKey={rowKey(row)}
      index={index}
      name={rowName(row)}
      columns={columns}
      isCard={isCards}
      actions={actions}
      selected={isSelected?.(rowKey(row))}
      isOpen={openKey === rowKey(row)}
      isCurrent={index === Math.min(current, last)}
      onOpen={onOpen ? openOne : undefined}
      onSelect={selectOne}
      onFocus={setCurrent}
      measure={measure}
    />
  );

  if (!isVirtual) {
    return (
      <tbody ref={body} onKeyDown={move}>
        {rows.map((row, index) => draw(row, index))}
      </tbody>
    );
  }
  return (
    <Suspense fallback={<tbody />}>
      <VirtualRows
        body={body}
        count={rows.length}
        estimate={isCards ? 88 : 44}
        scroller={scroller}
        span={props.span}
        scrollTo={scrollTo}
        onKeyDown={move}
        draw={(index, measure) => draw(rows[index] as T, index, measure)}
      />
    </Suspense>
  );
}

/** Moves the focus between rows. Returns the key handler of the table body. */
function useRowKeys<T>(
  { rows, rowKey, isSelected, onSelect, openKey, onOpen, keys }: RowsProps<T>,
  body: RefObject<HTMLTableSectionElement | null>,
  current: number,
  scrollTo: RefObject<((index: number) => void) | undefined>,
): (event: KeyboardEvent) => void {
  const last = rows.length - 1;
  const findRow = (index: number) => body.current?.querySelector<HTMLElement>(`tr[data-index="${index}"]`) ?? null;
  const focusRow = (index: number) => {
    const target = Math.max(0, Math.min(last, index));
    scrollTo.current?.(target);
    // The focus stays in the panel while the user works in it.
    const isReading = document.activeElement?.closest('[data-panel]');
    const show = (element: HTMLElement | null) =>
      isReading ? element?.scrollIntoView({ block: 'nearest' }) : element?.focus();
    // Moves the focus immediately, so that the next key finds it. Waits only for a row that is not rendered yet.
    const element = findRow(target);
    if (element) show(element);
    else requestAnimationFrame(() => show(findRow(target)));
    const row = rows[target];
    if (openKey !== null && row && rowKey(row) !== openKey) onOpen?.(row);
  };
  const focusedIndex = (): number | null => {
    const row = document.activeElement?.closest<HTMLElement>('tr[data-index]');
    return row && body.current?.contains(row) ? Number(row.dataset.index) : null;
  };
  const opened = openKey === null ? -1 : rows.findIndex((row) => rowKey(row) === openKey);
  useOpenRow(opened, last, focusRow, () => {
    const row = findRow(opened);
    row?.focus();
    return row !== null;
  });
  useImperativeHandle(keys, () => ({
    move: (step) => {
      const from = opened >= 0 ? opened : focusedIndex();
      // Without a starting point, the first step goes to the row that Tab would reach.
      focusRow(from === null ? current : from + step);
    },
    select: () => {
      const row = rows[focusedIndex() ?? -1];
      if (row && isSelected) onSelect(rowKey(row), !isSelected(rowKey(row)));
    },
  }));
  return (event) => {
    if (!(event.target as Element).matches('tr')) return;
    const page = 10;
    const targets: Record<string, number> = {
      ArrowDown: current + 1,
      ArrowUp: current - 1,
      PageDown: current + page,
      PageUp: current - page,
      Home: 0,
      End: last,
    };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    focusRow(target);
  };
}

/** Offers the neighbors of the row whose panel is open to the panel. */
function useOpenRow(opened: number, last: number, open: (index: number) => void, focusRow: () => boolean): void {
  const latest = useRef({ open, focusRow });
  useEffect(() => {
    if (opened >= 0) latest.current = { open, focusRow };
  });
  useEffect(() => {
    if (opened < 0) return;
    return offerList({
      previous: opened > 0 ? () => latest.current.open(opened - 1) : null,
      next: opened < last ? () => latest.current.open(opened + 1) : null,
      focusRow: () => latest.current.focusRow(),
    });
  }, [opened, last]);
}
