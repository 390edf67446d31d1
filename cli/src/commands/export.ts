import { randomUUID } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { link, rename, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Export, Parley } from '@parley/sdk';
import type { Call, Command } from '../command.ts';
import { connect } from '../login.ts';
import { CliError, EXIT, usageError } from '../problems.ts';
import { sleep } from '../time.ts';

const POLL_MS = 1_000;
const DOWNLOAD_TIMEOUT_MS = 600_000;
/** An account has at most 50 exports. */
const PAGE_SIZE = 50;

export const exportList: Command = {
  name: 'export',
  summary: 'Export a list to a file',
  usage: 'LIST [--output FILE]',
  text: [
    'Lists: messages, contacts, stop_list, campaigns, campaign_recipients, conversations, links, lookups, ' +
      'audit_log, users, payments, ledger. Starts the export, waits for it, and downloads the file. With --output -, ' +
      'the file is written to stdout.',
  ],
  options: {
    output: { type: 'string', value: 'FILE', help: 'The file to write; by default, the name from the server' },
    format: { type: 'string', value: 'FORMAT', help: 'csv (default), xlsx, jsonl, or parquet' },
    filter: { type: 'string', multiple: true, value: 'NAME=VALUE', help: 'A filter for the list; can be repeated' },
    audience: { type: 'string', value: 'ID', help: 'The audience, for contacts' },
    campaign: { type: 'string', value: 'ID', help: 'The campaign, for campaign_recipients' },
    'time-zone': {
      type: 'string',
      value: 'ZONE',
      help: 'The time zone, such as Europe/Berlin; UTC by default',
    },
    force: { type: 'boolean', help: 'Replace the file if it exists' },
  },
  arguments: { min: 1, max: 1 },
  examples: ['parley export messages --filter statuses=failed --output failed.csv'],
  run,
};

async function run(call: Call): Promise<void> {
  const { output, signal } = call;
  const target = call.text('output');
  const force = call.flag('force');
  if (target !== undefined && target !== '-' && !force && existsSync(target))
    throw usageError(`${target} exists. Use --force to replace it.`);
  const body = readRequest(call);
  const login = await call.login();
  const parley = connect(login);
  const started = await parley.exports.create({ body: body as never, signal });
  const done = await watch(call, parley, started);
  output.progress('Downloading…');
  const response = await connect(login, { timeout_ms: DOWNLOAD_TIMEOUT_MS }).export_files.get({
    ...{ params: { id: done.id }, signal },
  });
  if (target === '-') return writeTo(response, process.stdout);
  // The name comes from the server, so it must not lead to another folder.
  const path = target ?? basename(done.filename.replaceAll('\\', '/'));
  await save(response, path, force);
  const { rows_count: rows, bytes } = done;
  output.result({ ...done, path }, `Saved ${rows} ${rows === 1 ? 'row' : 'rows'} (${bytes} bytes) to ${path}.`);
}

function readRequest(call: Call) {
  const format = call.text('format');
  const time_zone = call.text('time-zone');
  const record = call.text('audience') ?? call.text('campaign');
  return {
    list: call.positionals[0]!,
    filter: Object.fromEntries(call.list('filter').map(readFilter)),
    ...(format === undefined ? {} : { format }),
    ...(time_zone === undefined ? {} : { time_zone }),
    ...(record === undefined ? {} : { params: { id: record } }),
  };
}

function readFilter(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw usageError(`${JSON.stringify(text)} is not a filter. Example: --filter statuses=failed`);
  return [text.slice(0, at), text.slice(at + 1)];
}

async function watch({ output, signal }: Call, parley: Parley, started: Export): Promise<Export> {
  let current: Export | undefined = started;
  while (current.status !== 'COMPLETED') {
    if (current.error_message !== null) throw new CliError(current.error_message);
    const total = current.total_rows === null ? '' : ` of ${current.total_rows}`;
    output.progress(`${current.rows_count}${total} rows`);
    await sleep(POLL_MS, signal);
    if (signal.aborted) throw new CliError(`Export ${current.id} continues on the server.`, EXIT.interrupted);
    const query = { page_size: PAGE_SIZE, 'filter[list]': current.list } as const;
    const { data } = await parley.exports.list({ query: query as never, signal });
    current = data.find(({ id }) => id === started.id);
    if (!current) throw new CliError('The export was deleted.');
  }
  return current;
}

async function writeTo(response: Response, stream: NodeJS.WritableStream): Promise<void> {
  if (response.body) await pipeline(Readable.fromWeb(response.body as never), stream, { end: false });
}

/** A download that fails leaves no file. */
async function save(response: Response, path: string, force: boolean): Promise<void> {
  const part = `${path}.${randomUUID().slice(0, 8)}.part`;
  try {
    await pipeline(Readable.fromWeb(response.body as never), createWriteStream(part, { flags: 'wx', mode: 0o600 }));
    // Unlike a rename, a link does not replace a file that was created in the meantime.
    if (force) await rename(part, path);
    else await link(part, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw usageError(`${path} exists. Use --force to replace it.`);
    throw error;
  } finally {
    await rm(part, { force: true });
  }
}
