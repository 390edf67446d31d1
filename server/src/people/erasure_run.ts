/**
 * The job of an erasure. Each portion deletes rows and stores the progress in one transaction, so a run that a crash
 * ends continues with the next portion. Every step can run again.
 */
import { personErased } from '@parley/contract/people/erasures.ts';
import type { Tx } from '../kernel/db/db.ts';
import { failpoint } from '../kernel/failpoint.ts';
import { enqueue } from '../kernel/jobs/jobs.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { emit } from '../kernel/live/events.ts';
import { eraseContacts, eraseConversations, eraseImportedContacts } from './erase_inbox.ts';
import {
  eraseEvents,
  eraseImportRows,
  eraseRefusedCalls,
  eraseRequests,
  eraseWebhookDeliveries,
} from './erase_logs.ts';
import { eraseMessages } from './erase_messages.ts';
import {
  eraseApprovals,
  eraseClicks,
  eraseCodes,
  eraseCrmPeople,
  eraseOptIns,
  eraseTestMessages,
} from './erase_traces.ts';
import * as queries from './erasure_queries.ts';
import { eraseJob } from './erasures.ts';

type Step = (tx: Tx, subject: queries.Subject, after: string | null, kernel: Kernel) => Promise<queries.Portion>;

/** New steps are added at the end, because a running erasure knows its step by its place. */
const STEPS: readonly Step[] = [
  eraseContacts,
  eraseConversations,
  eraseMessages,
  eraseClicks,
  eraseCrmPeople,
  eraseCodes,
  eraseTestMessages,
  eraseApprovals,
  eraseImportRows,
  eraseEvents,
  eraseWebhookDeliveries,
  eraseRequests,
  eraseRefusedCalls,
  eraseOptIns,
  eraseImportedContacts,
];

type State = 'more' | 'waiting' | 'done';

export async function runErasure(
  kernel: Kernel,
  { account_id, id }: { account_id: string; id: string },
  signal: AbortSignal,
): Promise<void> {
  for (let state: State = 'more'; state === 'more'; ) {
    if (signal.aborted) throw new Error('stopped before the person was erased');
    state = await kernel.db.tx((tx) => runPortion(kernel, tx, account_id, id), 'by index');
    failpoint('erasure.portion');
  }
}

async function runPortion(kernel: Kernel, tx: Tx, account_id: string, id: string): Promise<State> {
  const row = await queries.lockErasure(tx, account_id, id);
  if (!row) return 'done';
  const subject = { account_id, number: row.number, until: row.until };
  const { counts, after, isWaiting = false } = await STEPS[row.step]!(tx, subject, row.after, kernel);
  const step = after === null && !isWaiting ? row.step + 1 : row.step;
  const status = isWaiting ? 'waiting' : step === STEPS.length ? 'completed' : 'running';
  await queries.storeProgress(tx, { account_id, id, step: Math.min(step, STEPS.length - 1), after, status, counts });
  if (status === 'running') return 'more';
  emit(tx, personErased, account_id, { id, number: row.number, status });
  return status === 'waiting' ? 'waiting' : 'done';
}

const SILENT_MS = 60_000;

/** Continues erasures that are waiting for messages or whose job was lost. */
export async function sweepErasures({ db, clock }: Kernel): Promise<void> {
  const before = new Date(clock.now().getTime() - SILENT_MS);
  for (const { account_id, id } of await queries.listUnfinishedErasures(db, before))
    await db.tx((tx) => enqueue(tx, eraseJob, { account_id, id }));
}
