/**
 * The process in which files of strangers are parsed (see reader.ts). It asks for the file piece by piece and hands back lines ready for COPY;
 * it knows neither the database nor the storage.
 */
import { Problem } from '@parley/contract/problem.ts';
import { newId } from '../../kernel/clock.ts';
import { csvLine } from '../../kernel/files/csv.ts';
import { previewOf } from './preview.ts';
import { type ImportedContact, rowReader } from './rows.ts';
import { cleanCell, openTable, type Source } from './table.ts';
import type { Batch, FromReader, RowCounts, RowsTask, Task, ToReader } from './task.ts';

const BATCH_ROWS = 2_000;
/** Batches on their way to the database before the reader waits for it. */
const AHEAD = 4;

let onPiece: (piece: Uint8Array | null) => void = () => {};
let onTaken: () => void = () => {};
let underway = 0;

process.on('message', (message: ToReader) => {
  if (message.kind === 'task') run(message.task);
  else if (message.kind === 'piece') onPiece(message.piece);
  else {
    underway--;
    onTaken();
  }
});
// Its life is its parent's business: Ctrl-C reaches both, and the parent may want to finish.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));

const tell = (message: FromReader) => void process.send!(message);

const source: Source = async function* () {
  for (let restart = true; ; restart = false) {
    const piece = await new Promise<Uint8Array | null>((resolve) => {
      onPiece = resolve;
      tell({ kind: 'read', restart });
    });
    if (!piece) return;
    yield piece;
  }
};

async function run(task: Task): Promise<void> {
  underway = 0;
  try {
    const table = await openTable(source, task.options);
    const result = task.kind === 'preview' ? await previewOf(table, task.options.country) : await readRows(task, table);
    tell({ kind: 'done', result });
  } catch (error) {
    if (error instanceof Problem)
      tell({ kind: 'refused', name: error.name, message: error.message, field: error.field });
    else tell({ kind: 'broken', message: String(error), stack: (error as Error).stack ?? '' });
  }
}

async function readRows(task: RowsTask, table: Awaited<ReturnType<typeof openTable>>): Promise<RowCounts> {
  const judge = rowReader(task.columns, task.default_country, table.has_header ? table.header.length : null);
  const counts: RowCounts = { processed: 0, contacts: 0, duplicate: 0, invalid: 0 };
  const start = `${task.account_id}\t${task.audience_id}\t`;
  let copy: string[] = [];
  let refused: string[] = [];
  let refused_before = false;
  let pending = 0;

  const send = () => {
    if (pending === 0) return;
    // A mark of UTF-8 and the headings, so that a spreadsheet opens the file as it is.
    if (refused.length > 0 && !refused_before) {
      refused.unshift(`\ufeff${csvLine(['Line', 'Reason', ...table.header])}`);
      refused_before = true;
    }
    const batch: Batch = { copy: bytes(copy), refused: bytes(refused), counts: { ...counts } };
    copy = [];
    refused = [];
    pending = 0;
    underway++;
    tell({ kind: 'batch', batch });
  };
  const drained = async () => {
    if (pending >= BATCH_ROWS) send();
    while (underway >= AHEAD) {
      await new Promise<void>((resolve) => {
        onTaken = resolve;
      });
    }
  };

  await table.rows((line, cells) => {
    counts.processed++;
    pending++;
    const verdict = judge(line, cells);
    if (verdict.kind === 'contact') {
      counts.contacts++;
      copy.push(start + copyLine(verdict.contact));
    } else {
      counts[verdict.kind]++;
      refused.push(csvLine([String(line), verdict.reason, ...cells.map(cleanCell)]));
    }
  }, drained);
  send();
  while (underway > 0) {
    await new Promise<void>((resolve) => {
      onTaken = resolve;
    });
  }
  return counts;
}

function copyLine({ number, country, first_name, last_name, custom1, custom2 }: ImportedContact): string {
  return `${newId()}\t${number}\t${country}\t${text(first_name)}\t${text(last_name)}\t${text(custom1)}\t${text(custom2)}\n`;
}

// Tabs and line breaks have become spaces on the way in; the backslash is what COPY itself would take for an escape.
const text = (value: string): string => (value.includes('\\') ? value.replaceAll('\\', '\\\\') : value);

const bytes = (lines: readonly string[]): Uint8Array | null =>
  lines.length === 0 ? null : Buffer.from(lines.join(''));
