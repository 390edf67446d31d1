/** The parts of a table: its columns, and the actions for one row, for some rows, and for all rows of the list. */
import type { IconProps } from '@tabler/icons-react';
import type { ComponentType, ReactNode } from 'react';

/** `S` are the names that the list sorts by. */
export interface Column<T, S extends string = string> {
  key: string;
  title: string;
  render: (row: T) => ReactNode;
  /** `decimal` aligns amounts on the decimal point; see `moneyColumn`. */
  align?: 'end' | 'decimal';
  /** The number of decimals in a row, for `decimal`. */
  decimals?: (row: T) => number;
  width?: number | string;
  /** False hides the column below 720 px, where the table would have to scroll. */
  narrow?: boolean;
  /** True for a column that cannot be hidden, such as the name. */
  fixed?: boolean;
  /** True for a column that is hidden until the user turns it on. */
  hidden?: boolean;
  /**
   * The place of the column when rows become cards, in a narrow table: the first column is the title, and other columns
   * are facts with their title, unless they say otherwise. `corner` is the top right of the card.
   */
  card?: 'title' | 'corner' | 'subtitle' | 'fact' | 'hidden';
  /** The content of a card, if it differs from the table. */
  renderCard?: (row: T) => ReactNode;
  /** Lets users sort by the column, by its name in the API. */
  sort?: S;
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

/** All rows of the list on all of its pages, described by the list's filter. */
export interface AllRows {
  total: number;
  /** The list has more rows than were counted: more than `total`. */
  isMore: boolean;
  filter: Readonly<Record<string, unknown>>;
}

/** All rows of the list, as selected. */
export interface AllSelected extends AllRows {
  /** When they were selected. Rows that are added later do not belong to the selection. */
  at: number;
}

export interface BulkAction<T> {
  key: string;
  label: string;
  icon?: ComponentType<IconProps>;
  onSelect: (rows: T[], clear: () => void) => void;
  /** Runs the action for all rows on all pages. "Select all" is offered if at least one action has it. */
  onSelectAll?: (all: AllSelected, clear: () => void) => void;
  reason?: (rows: T[]) => string | null;
  danger?: boolean;
}

/** The order of the rows: a column's sort name, with a minus sign for descending. Null is the list's own order. */
export type Sort = string | null;

/** Returns `ascending` or `descending` if the rows are sorted by the column. */
export function sortDirection<T>(column: Column<T>, sort: Sort): 'ascending' | 'descending' | null {
  if (column.sort === undefined || sort === null) return null;
  return sort === column.sort ? 'ascending' : sort === `-${column.sort}` ? 'descending' : null;
}
