import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { AudienceImport, Parley } from '@parley/sdk';
import type { Call, Command } from '../command.ts';
import { connect } from '../login.ts';
import { CliError, EXIT, usageError } from '../problems.ts';
import { sleep } from '../time.ts';

const MAX_BYTES = 200 * 1024 * 1024;
const UPLOAD_TIMEOUT_MS = 600_000;
const POLL_MS = 1_000;

export const importContacts: Command = {
  name: 'import',
  summary: 'Import contacts from a CSV or XLSX file',
  usage: 'FILE (--audience ID | --name NAME)',
  text: [
    'Either all rows are imported or none are. Columns are recognized by their headings: number, first name, last ' +
      'name, and two custom fields. Invalid rows are skipped and counted.',
    'You can stop the program after the upload. The import continues on the server.',
  ],
  options: {
    audience: { type: 'string', value: 'ID', help: 'Add the contacts to this audience' },
    name: { type: 'string', value: 'NAME', help: 'Create an audience with this name' },
    channel: { type: 'string', value: 'CHANNEL', help: 'The channel of the new audience; SMS by default' },
    country: { type: 'string', value: 'CODE', help: 'The country of numbers without a country code, such as GB' },
    existing: { type: 'string', value: 'HOW', help: 'For existing contacts: update (default), merge, or skip' },
  },
  arguments: { min: 1, max: 1 },
  examples: ['parley import contacts.csv --name Regulars --country GB'],
  run,
};

async function run(call: Call): Promise<void> {
  const { output, signal } = call;
  const [path = ''] = call.positionals;
  const audience_id = call.text('audience');
  const name = call.text('name');
  if ((audience_id === undefined) === (name === undefined)) throw usageError('Use either --audience or --name');
  const file = await openFile(path);
  const login = await call.login();
  output.progress(`Uploading ${basename(path)}…`);
  const fields = { audience_id, name, channel: call.text('channel'), default_country: call.text('country') };
  const uploading = connect(login, { timeout_ms: UPLOAD_TIMEOUT_MS });
  const started = await uploading.audience_imports.create({
    body: { ...fields, existing: call.text('existing') as never, start: 'true', file } as never,
    signal,
  });
  const finished = await watch(call, connect(login), started);
  if (finished.status !== 'completed') throw failure(finished);
  output.result(finished, summary(finished));
}

async function openFile(path: string): Promise<File> {
  const facts = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw usageError(error.code === 'ENOENT' ? `The file ${path} does not exist` : error.message);
  });
  if (!facts.isFile()) throw usageError(`${path} is not a file`);
  if (facts.size === 0) throw usageError(`${path} is empty`);
  if (facts.size > MAX_BYTES) throw usageError(`${path} is larger than 200 MB. Split it into several files.`);
  return new File([await openAsBlob(path)], basename(path));
}

async function watch({ output, signal }: Call, parley: Parley, started: AudienceImport): Promise<AudienceImport> {
  let current = started;
  while (current.status === 'running') {
    const share = current.total_rows === 0 ? 0 : Math.floor((100 * current.processed_rows) / current.total_rows);
    output.progress(`${current.processed_rows} of ${current.total_rows} rows (${share}%)`);
    await sleep(POLL_MS, signal);
    if (signal.aborted) throw new CliError(`Import ${current.id} continues on the server.`, EXIT.interrupted);
    current = await parley.audience_imports.get({ params: { id: current.id }, signal });
  }
  return current;
}

function failure({ status, error_message, id }: AudienceImport): CliError {
  if (status === 'mapping')
    return new CliError(`The columns of the file were not recognized. Map them in the dashboard for import ${id}.`);
  return new CliError(error_message ?? `The import was ${status}.`);
}

function summary(done: AudienceImport): string {
  const counts = [
    [done.created_count, 'created'],
    [done.updated_count, 'updated'],
    [done.skipped_count, 'unchanged'],
    [done.duplicate_count, 'duplicate'],
    [done.invalid_count, 'invalid'],
  ] as const;
  const shown = counts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  return `Read ${done.total_rows} rows: ${shown.join(', ') || 'none'}.`;
}
