/** Sends numbers to the provider and ends lookups without a result. */
import { newId } from '../kernel/clock.ts';
import { enqueue, type JobWork, job, work } from '../kernel/jobs/jobs.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { callbackUrl } from './callback_url.ts';
import { currentProvider } from './providers/current.ts';
import { type LookupProvider, unknownResult } from './providers/provider.ts';
import * as queries from './queries.ts';
import { applyResults } from './results.ts';

interface LookupRun {
  account_id: string;
  bulk_id: string | null;
  /** The lookup, if it is a single one. */
  id: string | null;
}

/** Looks up one number, or all numbers of a bulk lookup until it is paused. The job is safe to repeat. */
export const lookupRun = job<LookupRun>('lookups.run', {
  concurrency: 2,
  retry: 8,
  // The bulk lookups of a company run one after the other, so that they cannot occupy all workers.
  group: ({ account_id, bulk_id, id }) => (bulk_id === null ? `lookup ${id}` : account_id),
});

const sweep = job('lookups.sweep', { cron: '* * * * *', retry: 0, expire_seconds: 300 });

/** After this time, a provider has lost the request. The number is then not charged. */
const LATE_MS = 10 * 60_000;

export async function runLookups(kernel: Kernel, run: LookupRun, signal: AbortSignal): Promise<void> {
  const provider = currentProvider(kernel.config);
  if (!provider) return;
  while (!signal.aborted && (await sendBatch(kernel, provider, run, signal)));
}

/** Returns false if there was nothing to send. */
async function sendBatch(
  kernel: Kernel,
  provider: LookupProvider,
  run: LookupRun,
  signal: AbortSignal,
): Promise<boolean> {
  const { account_id } = run;
  const batch_id = newId();
  const numbers = await kernel.db.tx((tx) => queries.takeNumbers(tx, run, batch_id, provider.batch));
  if (numbers.length === 0) return false;
  const callback_url = callbackUrl(kernel, account_id, batch_id);
  const results = await provider.request({ numbers, callback_url, signal }).catch(async (error: unknown) => {
    await kernel.db.tx((tx) => queries.returnNumbers(tx, account_id, batch_id));
    throw error;
  });
  if (results) await kernel.db.tx((tx) => applyResults(tx, account_id, batch_id, results));
  return true;
}

export async function endLateLookups(kernel: Kernel): Promise<void> {
  const before = new Date(kernel.clock.now().getTime() - LATE_MS);
  for (const { account_id, batch_id, numbers } of await queries.listLate(kernel.db, before))
    await kernel.db.tx((tx) => applyResults(tx, account_id, batch_id, numbers.map(unknownResult)));
  await continueStalled(kernel, before);
}

/** A bulk lookup stalls if the provider was not reachable for longer than its job was retried. */
async function continueStalled(kernel: Kernel, before: Date): Promise<void> {
  await kernel.db.tx(async (tx) => {
    for (const { account_id, id } of await queries.takeStalled(tx, before))
      await enqueue(tx, lookupRun, { account_id, bulk_id: id, id: null });
  });
}

export const jobs: readonly JobWork[] = [work(lookupRun, runLookups), work(sweep, endLateLookups)];
