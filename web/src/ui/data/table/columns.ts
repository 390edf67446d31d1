/** What a table is told about its columns, and which of them a person has switched off on this device. */
import type { IconProps } from '@tabler/icons-react';
import { type ComponentType, type ReactNode, useCallback, useMemo, useState } from 'react';

export interface Column<T> {
  key: string;
  title: string;
  render: (row: T) => ReactNode;
  align?: 'end';
  width?: number | string;
  /** False: not shown below 768 px, where the table would have to scroll. */
  narrow?: boolean;
  /** Cannot be switched off: the name. */
  fixed?: boolean;
  /** Off until a person switches it on. */
  hidden?: boolean;
}

export interface RowAction<T> {
  key: string;
  label: string;
  icon?: ComponentType<IconProps>;
  onSelect: (row: T) => void;
  /** Why it is disabled for this row; null when it is not. */
  reason?: (row: T) => string | null;
  /** False: not in the menu of this row at all. */
  when?: (row: T) => boolean;
  danger?: boolean;
}

export interface BulkAction<T> {
  key: string;
  label: string;
  icon?: ComponentType<IconProps>;
  onSelect: (rows: T[], clear: () => void) => void;
  reason?: (rows: T[]) => string | null;
  danger?: boolean;
}

const storageKey = (table: string) => `parley.columns.${table}`;

function readChoice(table: string): Record<string, boolean> {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(storageKey(table)) ?? '{}');
    return value && typeof value === 'object' ? (value as Record<string, boolean>) : {};
  } catch {
    return {};
  }
}

export interface ColumnChoice<T> {
  shown: Column<T>[];
  isShown: (column: Column<T>) => boolean;
  toggle: (column: Column<T>) => void;
}

export function useColumnChoice<T>(table: string, columns: readonly Column<T>[]): ColumnChoice<T> {
  const [choice, setChoice] = useState(() => readChoice(table));
  const isShown = useCallback(
    (column: Column<T>) => column.fixed === true || (choice[column.key] ?? column.hidden !== true),
    [choice],
  );
  const shown = useMemo(() => columns.filter(isShown), [columns, isShown]);
  const toggle = (column: Column<T>) => {
    const next = { ...choice, [column.key]: !isShown(column) };
    setChoice(next);
    localStorage.setItem(storageKey(table), JSON.stringify(next));
  };
  return { shown, isShown, toggle };
}
