/** What goes between an import and its reader. Plain data only: it is copied from one to the other. */
import type { ProblemName } from '@parley/contract/problem.ts';
import type { Preview } from './preview.ts';
import type { Columns } from './rows.ts';
import type { TableOptions } from './table.ts';

export interface PreviewTask {
  kind: 'preview';
  options: TableOptions;
}
export interface RowsTask {
  kind: 'rows';
  options: TableOptions;
  columns: Columns;
  default_country: string | null;
  account_id: string;
  audience_id: string;
}
export type Task = PreviewTask | RowsTask;

export interface RowCounts {
  processed: number;
  /** Rows that became a contact to store. */
  contacts: number;
  duplicate: number;
  invalid: number;
}

/** A piece of the result: lines for COPY and lines of the file of refused rows. */
export interface Batch {
  copy: Uint8Array | null;
  refused: Uint8Array | null;
  counts: RowCounts;
}

export interface TaskResults {
  preview: Preview;
  rows: RowCounts;
}

export type ToReader =
  | { kind: 'task'; task: Task }
  /** Null: the file has ended. */
  | { kind: 'piece'; piece: Uint8Array | null }
  | { kind: 'taken' };

export type FromReader =
  /** The next piece of the file; `restart`: the first one again. */
  | { kind: 'read'; restart: boolean }
  | { kind: 'batch'; batch: Batch }
  | { kind: 'done'; result: TaskResults[Task['kind']] }
  | { kind: 'refused'; name: ProblemName; message: string; field: string | undefined }
  | { kind: 'broken'; message: string; stack: string };

/** Columns of `contacts` in the order in which the reader writes them. */
export const COPY_COLUMNS = 'account_id, audience_id, id, number, country, first_name, last_name, custom1, custom2';
