/**
 * Messages between an import and its reader process. They are copied between processes, so they may contain plain data
 * only.
 */
import type { ImportRowKind } from '@parley/contract/audiences/imports.ts';
import type { ProblemName } from '@parley/contract/problem.ts';
import type { Preview } from './preview.ts';
import type { Columns, FactColumn } from './rows.ts';
import type { TableOptions } from './table.ts';
import type { SheetRow } from './xlsx.ts';

interface PreviewTask {
  kind: 'preview';
  options: TableOptions;
}
export interface RowsTask {
  kind: 'rows';
  options: TableOptions;
  columns: Columns;
  /** The columns with facts about people. Without any, the reader writes none. */
  facts?: readonly FactColumn[];
  default_country: string | null;
  account_id: string;
  audience_id: string;
  import_id: string;
  /** The names of the columns, for the heading of the file of refused rows. */
  column_names: readonly string[];
}
/** Reads the first sheet of a spreadsheet as it is, for small files that are not lists of contacts. */
interface SheetTask {
  kind: 'sheet';
  max_rows: number;
}
export type Task = PreviewTask | RowsTask | SheetTask;

export interface RowCounts {
  processed: number;
  /** Number of rows that become a contact. */
  contacts: number;
  duplicate: number;
  invalid: number;
  /** Number of contacts with a shortened text. */
  shortened: number;
  /** Number of contacts in long runs of consecutive numbers. */
  consecutive: number;
}

export const NO_ROWS: RowCounts = {
  ...{ processed: 0, contacts: 0, duplicate: 0, invalid: 0 },
  ...{ shortened: 0, consecutive: 0 },
};

/** A refused or shortened row, for the page of the import. */
export interface ReportedRow {
  line: number;
  kind: ImportRowKind;
  /** The code of the problem of an invalid row. */
  code: number | null;
  reason: string;
  cells: string[];
}

/** Part of the result: lines for COPY, lines for the file of refused rows, and rows for the page. */
export interface Batch {
  copy: Uint8Array | null;
  refused: Uint8Array | null;
  reported: ReportedRow[];
  counts: RowCounts;
}

export interface TaskResults {
  preview: Preview;
  rows: RowCounts;
  sheet: SheetRow[];
}

export type ToReader =
  | { kind: 'task'; task: Task }
  /** A null piece marks the end of the file. */
  | { kind: 'piece'; piece: Uint8Array | null }
  | { kind: 'taken' };

export type FromReader =
  /** Requests the next piece of the file, or the first piece again if `restart` is set. */
  | { kind: 'read'; restart: boolean }
  | { kind: 'batch'; batch: Batch }
  | { kind: 'done'; result: TaskResults[Task['kind']] }
  | { kind: 'refused'; name: ProblemName; message: string; field: string | undefined }
  | { kind: 'broken'; message: string; stack: string };

/** The columns of `contacts` in the order in which the reader writes them. */
export const COPY_COLUMNS =
  'account_id, audience_id, import_id, id, number, country, first_name, last_name, custom1, custom2';
