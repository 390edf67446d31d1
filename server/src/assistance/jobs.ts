/** Deletes old requests from the log of assistance, and ends those whose process died. */
import { MAX_TIMEOUT_SECONDS } from '@parley/contract/assistance/assistance.ts';
import { type JobWork, job, work } from '../kernel/jobs/jobs.ts';
import type { Kernel } from '../kernel/kernel.ts';
import * as queries from './queries.ts';

const PORTION = 500;
const DAY_MS = 86_400_000;

const prune = job('assistance.prune', { cron: '*/15 * * * *', retry: 0, expire_seconds: 600 });

export async function pruneRequests({ db, clock }: Kernel, signal: AbortSignal): Promise<void> {
  const now = clock.now().getTime();
  const before = new Date(now - 2 * MAX_TIMEOUT_SECONDS * 1_000);
  for (const { account_id, retention_days } of await queries.listAccountsWithSettings(db)) {
    await queries.endInterrupted(db, account_id, before);
    const oldest = new Date(now - retention_days * DAY_MS);
    while (!signal.aborted && (await queries.pruneRequests(db, account_id, oldest, PORTION)) > 0);
  }
}

export const jobs: readonly JobWork[] = [work(prune, (kernel, _, signal) => pruneRequests(kernel, signal))];
