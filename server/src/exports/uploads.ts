/**
 * Uploads the files of scheduled exports to SFTP servers and S3 buckets. A run has a lease that it extends while it
 * makes progress. After a crash, the next run uploads the file again, on a server under its own temporary name, so the
 * folder never shows a part of a file. Failed uploads are retried; a destination that fails for days, or shows another
 * host key, is disabled.
 */
import type { Readable } from 'node:stream';
import { parseTimestamp } from '@parley/contract/common.ts';
import { DISABLE_DESTINATION_DAYS } from '@parley/contract/exports/destinations.ts';
import { Problem } from '@parley/contract/problem.ts';
import { newId } from '../kernel/clock.ts';
import type { Tx } from '../kernel/db/db.ts';
import { failpoint } from '../kernel/failpoint.ts';
import { enqueue, job } from '../kernel/jobs/jobs.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { mailDisabled } from './destination_mails.ts';
import * as queries from './destination_queries.ts';
import { announceChange, openSecret } from './destinations.ts';
import { objectKey, putObject } from './s3.ts';
import { uploadFile, withSftp } from './sftp.ts';

const MINUTE_MS = 60_000;
const LEASE_MS = 2 * MINUTE_MS;
const LEASE_PACE_MS = 20_000;
/** The backoff after failed attempts, in minutes. The last one repeats until the export is deleted. */
const PAUSES = [1, 5, 15, 60, 180];
const JITTER = 0.2;
/** A server that is slower than this is stopped, so that it cannot occupy a worker for days. */
const MIN_BYTES_PER_SECOND = 32 * 1024;
const EXPIRE_SECONDS = 4 * 3_600;

/** Retries are up to the sweep, because they outlast a job's retries. */
export const uploadJob = job<{ account_id: string; id: string }>('exports.upload', {
  concurrency: 4,
  retry: 0,
  expire_seconds: EXPIRE_SECONDS,
  key: ({ account_id, id }) => `${account_id} ${id}`,
  group: ({ account_id }) => account_id,
});

/** Called in the transaction that completes the export. */
export async function startUpload(tx: Tx, account_id: string, export_id: string, destination_id: string) {
  await queries.insertUpload(tx, account_id, export_id, destination_id);
  await enqueue(tx, uploadJob, { account_id, id: export_id });
}

/** Starts the uploads whose next attempt is due, or whose worker has died. */
export async function resumeUploads(kernel: Kernel): Promise<void> {
  for (const ids of await queries.listDueUploads(kernel.db, kernel.clock.now()))
    await kernel.db.tx((tx) => enqueue(tx, uploadJob, ids));
}

export async function runUpload(
  kernel: Kernel,
  { account_id, id }: { account_id: string; id: string },
  stopped: AbortSignal,
): Promise<void> {
  const leaseEnd = () => new Date(kernel.clock.now().getTime() + LEASE_MS);
  const row = await kernel.db.tx((tx) => queries.claimUpload(tx, account_id, id, newId(), leaseEnd()));
  if (!row) return;
  const destination = await queries.findSecret(kernel.db, account_id, row.destination_id);
  const isGone = row.remove_date !== null || row.status !== 'COMPLETED' || row.storage_key === null;
  const file = destination && !isGone ? await kernel.storage.open(row.storage_key!) : null;
  if (!destination || !file) {
    // An export that is being written again gets a new upload when it is complete.
    await kernel.db.tx((tx) => queries.deleteUpload(tx, row));
    return;
  }
  const allowed_ms = 2 * MINUTE_MS + Math.ceil(file.bytes / MIN_BYTES_PER_SECOND) * 1_000;
  const limit = AbortSignal.timeout(Math.min(EXPIRE_SECONDS * 1_000, allowed_ms));
  const lost = new AbortController();
  const signal = AbortSignal.any([stopped, limit, lost.signal]);
  const timer = setInterval(() => {
    kernel.db
      .tx((tx) => queries.extendLease(tx, row, leaseEnd()))
      .then((isOurs) => isOurs || lost.abort())
      .catch((error: unknown) => kernel.log.warn({ err: error }, 'the lease of an upload was not extended'));
  }, LEASE_PACE_MS);
  const name = fileName(destination.file_name, row);
  try {
    await send(kernel, row, destination, { ...file, name }, signal);
    failpoint('export.uploaded');
    await finishUpload(kernel, row, name);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    kernel.log.info({ problem: error.name, err: error, export_id: row.export_id }, 'upload of an export failed');
    await failUpload(kernel, row, error, stopped.aborted);
  } finally {
    clearInterval(timer);
    file.stream.destroy();
  }
}

interface StoredFile {
  name: string;
  bytes: number;
  stream: Readable;
}

function send(
  kernel: Kernel,
  row: queries.ClaimedUpload,
  destination: queries.SecretDestination,
  file: StoredFile,
  signal: AbortSignal,
): Promise<void> {
  const { run_id, previous_run_id, storage_key } = row;
  const { folder } = destination;
  const secret = openSecret(kernel, destination);
  if (destination.type === 's3') {
    const open = async () => (await kernel.storage.open(storage_key!))!.stream;
    const key = objectKey(folder, file.name);
    return putObject(kernel.config, { ...destination, secret }, { key, bytes: file.bytes, open }, signal);
  }
  return withSftp(kernel.config, { ...destination, secret }, signal, (session) =>
    uploadFile(session, { folder, ...file, run_id, previous_run_id }, signal),
  );
}

/** Replaces the placeholders. The pattern was checked when the destination was saved. */
function fileName(pattern: string, { list, format, time_zone, create_date, export_id }: queries.ClaimedUpload): string {
  const [date = '', time = ''] = new Intl.DateTimeFormat('sv-SE', {
    ...{ timeZone: time_zone, dateStyle: 'short', timeStyle: 'medium' },
  })
    .format(parseTimestamp(create_date))
    .split(' ');
  const parts: Record<string, string> = {
    list: list.replaceAll('_', '-'),
    date,
    time: time.replaceAll(':', ''),
    id: export_id,
  };
  return `${pattern.replace(/\{(\w+)\}/g, (_, part: string) => parts[part] ?? '')}.${format}`;
}

const finishUpload = (kernel: Kernel, row: queries.ClaimedUpload, name: string): Promise<void> =>
  kernel.db.tx(async (tx) => {
    if (!(await queries.deleteUpload(tx, row))) return;
    await queries.setUploaded(tx, row, name);
    await announceChange(tx, row.account_id, row.destination_id);
  });

/** A worker that stops during an upload leaves it to the next one. This does not count as a failure of the server. */
const failUpload = (kernel: Kernel, row: queries.ClaimedUpload, problem: Problem, isStopping: boolean): Promise<void> =>
  kernel.db.tx(async (tx) => {
    const pause = (PAUSES[row.tries - 1] ?? PAUSES.at(-1)!) * (1 - JITTER + 2 * JITTER * Math.random());
    const next = new Date(tx.now.getTime() + (isStopping ? 0 : pause * MINUTE_MS));
    if (!(await queries.postponeUpload(tx, row, next)) || isStopping) return;
    const destination = await queries.setFailing(tx, row, problem.message);
    if (!destination) return;
    const failing_ms = tx.now.getTime() - parseTimestamp(destination.failing_since).getTime();
    const isKeyChanged = problem.name === 'EXPORT_HOST_KEY_CHANGED';
    if (isKeyChanged || failing_ms > DISABLE_DESTINATION_DAYS * 86_400_000) {
      await queries.disable(tx, row);
      await mailDisabled(tx, kernel.config.PUBLIC_URL, { ...row, ...destination, reason: problem.message });
    }
    await announceChange(tx, row.account_id, row.destination_id);
  });
