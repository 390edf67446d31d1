/** A table's columns and actions, and the columns that the user has chosen on this device. */
import type { IconProps } from '@tabler/icons-react';
import { type ComponentType, type ReactNode, useCallback, useMemo, useState } from 'react';

export interface Column<T> {
  key: string;
  title: string;
  render: (row: T) => ReactNode;
  align?: 'end';
  width?: number | string;
  /** False hides the column below 768 px, where the table would have to scroll. */
  narrow?: boolean;
  /** True for a column that cannot be hidden, such as the name. */
  fixed?: boolean;
  /** True for a column that is hidden until the user turns it on. */
  hidden?: boolean;
}

export interface RowAction<T> {
  key: string;
  label: string;
  icon?: ComponentType<IconProps>;
  onSelect: (row: T) => void;
  /** Why the action is disabled for this row; null enables it. */
  reason?: (row: T) => string | null;
  /** False omits the action from this row's menu. */
  isOffered?: (row: T) => boolean;
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
