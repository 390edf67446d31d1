/**
 * The process that parses one untrusted file (see reader.ts). It requests the file in pieces and returns lines for
 * COPY. It has no access to the database or the file storage.
 */
import { MAX_LISTED_ROWS } from '@parley/contract/audiences/limits.ts';
import { Problem, problemCode } from '@parley/contract/problem.ts';
import { newId } from '../../kernel/clock.ts';
import { delimitedLine } from '../../kernel/files/csv.ts';
import { buildPreview } from './preview.ts';
import { createRowReader, createRunCounter, type ImportedContact, type RowFacts, shorten } from './rows.ts';
import { cleanCell, openTable, readSheet, type Source } from './table.ts';
import {
  type Batch,
  type FromReader,
  NO_ROWS,
  type ReportedRow,
  type RowCounts,
  type RowsTask,
  type Task,
  type TaskResults,
  type ToReader,
} from './task.ts';

const BATCH_ROWS = 2_000;
/** The part of a reported row that is kept for the page. */
const SHOWN_CELLS = 20;
const SHOWN_LENGTH = 100;
/** The reader pauses when this many batches are waiting for the database. */
const MAX_BATCHES_IN_FLIGHT = 4;

let onPiece: (piece: Uint8Array | null) => void = () => {};
let onBatchStored: () => void = () => {};
let batchesInFlight = 0;

process.on('message', (message: ToReader) => {
  if (message.kind === 'task') runTask(message.task);
  else if (message.kind === 'piece') onPiece(message.piece);
  else {
    batchesInFlight--;
    onBatchStored();
  }
});
// Ctrl-C reaches both processes. The reader ignores it, and the parent ends the reader, because the parent may want to
// finish its work.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));

const post = (message: FromReader) => void process.send!(message);

const source: Source = async function* () {
  for (let restart = true; ; restart = false) {
    const piece = await new Promise<Uint8Array | null>((resolve) => {
      onPiece = resolve;
      post({ kind: 'read', restart });
    });
    if (!piece) return;
    yield piece;
  }
};

async function runTask(task: Task): Promise<void> {
  try {
    post({ kind: 'done', result: await readTask(task) });
  } catch (error) {
    if (error instanceof Problem)
      post({ kind: 'refused', name: error.name, message: error.message, field: error.field });
    // A buffer or a string that does not fit into the memory of this process.
    else if (error instanceof RangeError)
      post({
        kind: 'refused',
        name: 'IMPORT_FILE_UNREADABLE',
        message: 'Reading the file requires too much memory',
        field: undefined,
      });
    else post({ kind: 'broken', message: String(error), stack: (error as Error).stack ?? '' });
  }
}

async function readTask(task: Task): Promise<TaskResults[Task['kind']]> {
  if (task.kind === 'sheet') return readSheet(source, task.max_rows);
  const table = await openTable(source, task.options);
  return task.kind === 'preview' ? buildPreview(table, task.options.country) : readRows(task, table);
}

async function readRows(task: RowsTask, table: Awaited<ReturnType<typeof openTable>>): Promise<RowCounts> {
  const readRow = createRowReader(
    task.columns,
    task.default_country,
    table.has_header ? table.header.length : null,
    task.facts,
  );
  const counts: RowCounts = { ...NO_ROWS };
  const delimiter = table.delimiter ?? ',';
  const start = `${task.account_id}\t${task.audience_id}\t${task.import_id}\t`;
  const countConsecutive = createRunCounter();
  let copy: string[] = [];
  let refused: string[] = [];
  let reported: ReportedRow[] = [];
  let has_refused = false;
  let pending = 0;

  const sendBatch = () => {
    if (pending === 0) return;
    // The byte order mark and the heading let spreadsheets open the file correctly.
    if (refused.length > 0 && !has_refused) {
      const names = table.has_header ? table.header : task.column_names;
      refused.unshift(`\ufeff${delimitedLine(['Line', 'Reason', ...names], delimiter)}`);
      has_refused = true;
    }
    const batch: Batch = { copy: toBytes(copy), refused: toBytes(refused), reported, counts: { ...counts } };
    copy = [];
    refused = [];
    reported = [];
    pending = 0;
    batchesInFlight++;
    post({ kind: 'batch', batch });
  };
  const waitForRoom = async () => {
    if (pending >= BATCH_ROWS) sendBatch();
    while (batchesInFlight >= MAX_BATCHES_IN_FLIGHT) {
      await new Promise<void>((resolve) => {
        onBatchStored = resolve;
      });
    }
  };

  await table.rows((line, cells) => {
    counts.processed++;
    pending++;
    const result = readRow(line, cells);
    const kind = result.kind === 'contact' ? 'shortened' : result.kind;
    const reason = result.kind === 'contact' ? result.shortened : result.reason;
    if (result.kind === 'contact') {
      counts.contacts++;
      counts.consecutive += countConsecutive(result.contact.number);
      const { contact, facts } = result;
      copy.push(
        start + copyLine(contact, facts && { ...facts, line, ...(hasIds(facts) && { cells: shownCells(cells) }) }),
      );
    } else refused.push(delimitedLine([String(line), result.reason, ...cells.map(cleanCell)], delimiter));
    if (reason === null) return;
    counts[kind]++;
    if (counts[kind] <= MAX_LISTED_ROWS)
      reported.push({
        ...{ line, kind, reason, cells: shownCells(cells) },
        code: result.kind === 'invalid' ? problemCode(result.problem) : null,
      });
  }, waitForRoom);
  sendBatch();
  while (batchesInFlight > 0) {
    await new Promise<void>((resolve) => {
      onBatchStored = resolve;
    });
  }
  return counts;
}

const shownCell = (cell: string): string => {
  const text = cleanCell(cell).toWellFormed();
  return text.length > SHOWN_LENGTH ? `${shorten(text, SHOWN_LENGTH - 1)}\u2026` : text;
};

const shownCells = (cells: readonly string[]): string[] => cells.slice(0, SHOWN_CELLS).map(shownCell);

const hasIds = ({ ids }: RowFacts): boolean => Object.keys(ids).length > 0;

/** A row with an ID keeps its cells, because the ID may turn out to belong to another person. */
type StoredFacts = RowFacts & { line: number; cells?: string[] };

function copyLine(contact: ImportedContact, facts: StoredFacts | null): string {
  const { number, country, first_name, last_name, custom1, custom2 } = contact;
  const texts = [first_name, last_name, custom1, custom2, ...(facts ? [JSON.stringify(facts)] : [])].map(escapeForCopy);
  return `${[newId(), number, country, ...texts].join('\t')}\n`;
}

/** Escapes backslashes for COPY. Tabs and line breaks have already been replaced with spaces. */
const escapeForCopy = (value: string): string => (value.includes('\\') ? value.replaceAll('\\', '\\\\') : value);

const toBytes = (lines: readonly string[]): Uint8Array | null =>
  lines.length === 0 ? null : Buffer.from(lines.join(''));
