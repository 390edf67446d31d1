/**
 * Syncs one account for a while, and then lets others continue. First come the changes that were noted, then a page of
 * the full sync, then what the CRM has changed since the last time. Everything is stored after each step, so a run can
 * end at any point: the next one continues.
 */
import { crmChanged } from '@parley/contract/crm/crm.ts';
import { Problem } from '@parley/contract/problem.ts';
import { z } from 'zod';
import { newId } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import { enqueue, job } from '../../kernel/jobs/jobs.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { emit } from '../../kernel/live/events.ts';
import { callAs } from '../access.ts';
import { label } from '../apps.ts';
import { type CrmContact, CrmError } from '../providers/provider.ts';
import { deleteConnection, findActiveUser } from '../queries.ts';
import { sendForDeals } from '../triggers/run.ts';
import { readContext, type SyncContext } from './context.ts';
import { subscribe } from './hooks.ts';
import { pairRecords } from './pairing.ts';
import { pushNumbers, syncRecords } from './push.ts';
import type { SyncKey, SyncRow } from './queries.ts';
import * as queries from './queries.ts';
import { reconcile, type SyncRules } from './reconcile.ts';

/** How long one account is served before others. */
const SLICE_MS = 15_000;
/** How often the CRM is asked for changes. Webhooks report them sooner. */
const POLL_MS = 300_000;
/** The clocks may differ a little, and a record may be visible only after a while. */
const OVERLAP_MS = 120_000;
/** A full sync also finds records that were deleted while no webhook arrived. */
const FULL_MS = 7 * 86_400_000;
const CLOSED_MS = 86_400_000;
const PAUSE_SECONDS = 30;
const FAILED_SECONDS = 600;
const BATCH = 50;
const ZERO = '00000000-0000-0000-0000-000000000000';
const SEEN = 'seen ';

export const syncJob = job<SyncKey>('crm.sync', {
  retry: 3,
  retry_seconds: 30,
  concurrency: 2,
  expire_seconds: 300,
  key: ({ account_id, provider }) => `${account_id} ${provider}`,
  group: ({ account_id, provider }) => `${account_id} ${provider}`,
});

const LOOP_MS = 1_000;

/** Enqueues the accounts whose sync is due. */
export async function enqueueDue({ db, clock }: Pick<Kernel, 'db' | 'clock'>): Promise<void> {
  const now = clock.now();
  await db.tx(async (tx) => {
    for (const key of await queries.takeDue(tx, now, new Date(now.getTime() + 60_000))) await enqueue(tx, syncJob, key);
  });
}

export function startCrmSync(kernel: Kernel): { stop(): Promise<void> } {
  let running: Promise<void> | null = null;
  const timer = setInterval(() => {
    running ??= enqueueDue(kernel)
      .catch((error: unknown) => kernel.log.error({ err: error }, 'crm sync'))
      .finally(() => {
        running = null;
      });
  }, LOOP_MS);
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}

export async function runSync(kernel: Kernel, key: SyncKey, signal: AbortSignal): Promise<void> {
  const start = kernel.clock.now().getTime();
  const row = await queries.findSync(kernel.db, key);
  if (!row || !(row.is_on || row.has_triggers) || row.hold_ms > start) return;
  if (await stopIfClosed(kernel, key)) return;
  const isTimeUp = () => signal.aborted || kernel.clock.now().getTime() - start > SLICE_MS;
  try {
    const user = await findActiveUser(kernel.db, key.account_id, key.provider, null);
    if (!user) throw new CrmError('signed_out', 'No user is connected');
    const call = callAs(kernel, { ...key, id: user.id });
    await subscribe(kernel, key.provider, key.account_id, call);
    const isDone = !row.is_on || (await syncContacts(kernel, row, await readContext(kernel, key, call, row), isTimeUp));
    if (row.has_triggers) await sendForDeals(kernel, row, call, isTimeUp);
    await finish(kernel, key, { error: null, wait_ms: isDone ? POLL_MS : 0, isHeld: false });
  } catch (error) {
    if (!(error instanceof CrmError || error instanceof Problem || error instanceof z.ZodError)) throw error;
    const isBusy = error instanceof CrmError && error.fault === 'busy';
    const seconds = isBusy ? (error.wait_seconds ?? PAUSE_SECONDS) : FAILED_SECONDS;
    await finish(kernel, key, { error: describe(key, error), wait_ms: seconds * 1_000, isHeld: true });
    kernel.log.warn({ err: error, crm: key.provider, account_id: key.account_id }, 'crm sync paused');
  }
}

/** A closed account gets no people back. After its erasure, no data about its people is left. */
async function stopIfClosed({ db }: Kernel, { account_id, provider }: SyncKey): Promise<boolean> {
  const { is_closed, is_erased } = await db.one<{ is_closed: boolean; is_erased: boolean }>(sql`
    select close_date is not null as is_closed, erase_date is not null as is_erased from accounts
    where id = ${account_id}`);
  if (!is_closed) return false;
  await db.tx(async (tx) => {
    if (is_erased) return deleteConnection(tx, account_id, provider);
    const next_date = new Date(tx.now.getTime() + CLOSED_MS);
    await queries.saveOutcome(
      tx,
      { account_id, provider },
      { error: null, next_date, hold_date: next_date, now: null },
    );
  });
  return true;
}

function describe({ provider }: SyncKey, error: CrmError | Problem | z.ZodError): string {
  if (error instanceof z.ZodError) return `${label(provider)} sent a response that could not be read.`;
  if (error instanceof Problem)
    return error.name === 'AUDIENCE_NOT_FOUND'
      ? 'The audience no longer exists. Select another one.'
      : `The sync has stopped: ${error.message}`;
  const texts = {
    busy: `${label(provider)} is rate-limiting the sync or did not respond. The sync continues automatically.`,
    signed_out: `${label(provider)} no longer accepts the connection. Connect again.`,
    missing: `${label(provider)} no longer has a record that the sync needs.`,
    refused: `${label(provider)} refused a request. Check the permissions of the app.`,
  };
  return texts[error.fault];
}

async function finish(
  kernel: Kernel,
  key: SyncKey,
  { error, wait_ms, isHeld }: { error: string | null; wait_ms: number; isHeld: boolean },
): Promise<void> {
  await kernel.db.tx(async (tx) => {
    const next_date = new Date(tx.now.getTime() + wait_ms);
    await queries.saveOutcome(tx, key, {
      error,
      next_date,
      hold_date: isHeld ? next_date : null,
      now: error ? null : tx.now,
    });
    emit(tx, crmChanged, key.account_id, { provider: key.provider });
  });
}

/** Returns true when nothing is left to do. */
async function syncContacts(
  kernel: Kernel,
  row: SyncRow,
  context: SyncContext,
  isTimeUp: () => boolean,
): Promise<boolean> {
  if (row.audience_id === null) throw new Problem('AUDIENCE_NOT_FOUND');
  const rules: SyncRules = { direction: row.direction, rule: row.rule, audience_id: row.audience_id };
  let hasPolled = false;
  while (!isTimeUp()) {
    if (await syncChanges(context, rules)) continue;
    const current = await queries.findSync(kernel.db, row);
    // The settings have changed, so the next run starts with them.
    if (!current?.is_on || !isSameSetup(current, row)) return false;
    if (await continueFull(context, rules, current)) continue;
    if (hasPolled) return true;
    hasPolled = await pollChanges(context, rules, current, isTimeUp);
  }
  return false;
}

const isSameSetup = (one: SyncRow, other: SyncRow): boolean => {
  const read = ({ direction, rule, audience_id, fields, consents, opt_out }: SyncRow) =>
    JSON.stringify([direction, rule, audience_id, fields, consents, opt_out]);
  return read(one) === read(other);
};

/** Rows are deleted after they have been synced, so a crash repeats them. */
async function syncChanges(context: SyncContext, rules: SyncRules): Promise<boolean> {
  const { db } = context.kernel;
  const changes = await queries.nextChanges(db, context, ['record', 'number'], BATCH);
  if (changes.length === 0) return false;
  const keys = (kind: string) => [...new Set(changes.filter((one) => one.kind === kind).map(({ key }) => key))];
  const records = keys('record');
  const numbers = keys('number');
  if (records.length > 0) await runEachIfNeeded(context, records, toRecord, (ids) => syncRecords(context, rules, ids));
  if (numbers.length > 0)
    await runEachIfNeeded(context, numbers, toNumber, (some) => pushNumbers(context, rules, some));
  await queries.deleteChanges(
    db,
    context,
    changes.map(({ id }) => id),
  );
  return true;
}

/** The subject of a failure: a record, a number, or a record that was read. */
type Failed = { record_id: string } | { number: string };
const toRecord = (record_id: string): Failed => ({ record_id });
const toNumber = (number: string): Failed => ({ number });
const toFailed = ({ id }: CrmContact): Failed => ({ record_id: id });

/** One row that cannot be stored must not stop the others. */
async function runEachIfNeeded<T>(
  context: SyncContext,
  rows: readonly T[],
  describeRow: (row: T) => Failed,
  work: (rows: readonly T[]) => Promise<void>,
): Promise<void> {
  if (rows.length === 0) return;
  try {
    await work(rows);
  } catch (error) {
    if (error instanceof CrmError || error instanceof Problem) throw error;
    if (rows.length === 1) return storeFailure(context, describeRow(rows[0]!), error);
    for (const row of rows) await runEachIfNeeded(context, [row], describeRow, work);
  }
}

async function storeFailure(context: SyncContext, failed: Failed, error: unknown): Promise<void> {
  const { account_id, provider, kernel } = context;
  kernel.log.error({ err: error, crm: provider, account_id }, 'a person cannot be synced');
  const [link] =
    'number' in failed
      ? await queries.listLinksByNumber(kernel.db, context, [failed.number])
      : await queries.listLinksByRecord(kernel.db, context, [failed.record_id]);
  const empty = { account_id, provider, id: newId(), record_id: null, number: null, base: {}, label: null };
  await kernel.db.tx(async (tx) => {
    await queries.putLink(tx, {
      ...(link ?? { ...empty, ...failed }),
      ...{ state: 'failed', error: 'An unexpected error occurred. The log of the server has the details.' },
    });
  });
}

/** One step of the full sync. Returns false if none runs. */
async function continueFull(context: SyncContext, rules: SyncRules, row: SyncRow): Promise<boolean> {
  const { kernel, crm, call, definitions } = context;
  const { stage, cursor } = row;
  const save = (next: Omit<queries.Progress, 'processed_count'>, count: number) =>
    kernel.db.tx(async (tx) => {
      const processed_count = next.stage === stage ? row.processed_count + count : 0;
      if (await queries.saveProgress(tx, row, { ...next, processed_count }))
        emit(tx, crmChanged, context.account_id, { provider: context.provider });
    });
  const now = kernel.clock.now().getTime();
  if (stage === 'idle') {
    if (row.full_ms !== null && now - row.full_ms < FULL_MS) return false;
    await kernel.db.tx((tx) => queries.startFull(tx, row));
    return true;
  }
  if (stage === 'contacts') {
    const contacts =
      rules.direction === 'to_parley'
        ? []
        : await queries.listAudienceNumbers(kernel.db, row.account_id, rules.audience_id, cursor ?? ZERO, BATCH);
    const numbers = contacts.map(({ number }) => number);
    await runEachIfNeeded(context, numbers, toNumber, (some) => pushNumbers(context, rules, some));
    const last = contacts.at(-1)?.id ?? null;
    await save(last ? { stage, cursor: last } : { stage: 'idle', cursor: null }, contacts.length);
    return true;
  }
  if (cursor?.startsWith(SEEN)) {
    const links = await queries.listUnseenLinks(
      kernel.db,
      row,
      new Date(row.since_ms ?? 0),
      cursor.slice(SEEN.length),
      BATCH,
    );
    const ids = links.flatMap(({ record_id }) => record_id ?? []);
    if (ids.length > 0) await syncRecords(context, rules, ids);
    const last = links.at(-1)?.id;
    await save(last ? { stage, cursor: SEEN + last } : { stage: 'contacts', cursor: null }, 0);
    return true;
  }
  const page = await crm.contactPage(call, definitions, { cursor, since: null });
  await syncPage(context, rules, page.rows);
  await save({ stage, cursor: page.cursor ?? SEEN + ZERO }, page.rows.length);
  return true;
}

const syncPage = (context: SyncContext, rules: SyncRules, contacts: readonly CrmContact[]): Promise<void> =>
  runEachIfNeeded(context, contacts, toFailed, async (rows) =>
    reconcile(context, rules, await pairRecords(context, rows)),
  );

/** Returns false if the time was up before all changes were read. */
async function pollChanges(
  context: SyncContext,
  rules: SyncRules,
  row: SyncRow,
  isTimeUp: () => boolean,
): Promise<boolean> {
  const { kernel, crm, call, definitions } = context;
  if (rules.direction === 'to_crm') return true;
  const start = kernel.clock.now().getTime();
  const since = new Date((row.since_ms ?? start) - OVERLAP_MS);
  for (let cursor: string | null = null; ; ) {
    const page = await crm.contactPage(call, definitions, { cursor, since });
    await syncPage(context, rules, page.rows);
    if (page.cursor === null) break;
    // The pages are in the order of the changes, so the next run continues after this one.
    const last = page.rows.at(-1)?.update_date;
    if (last && last.getTime() > (row.since_ms ?? 0)) await queries.saveSince(kernel.db, row, last);
    if (isTimeUp()) return false;
    cursor = page.cursor;
  }
  await queries.saveSince(kernel.db, row, new Date(start));
  return true;
}
