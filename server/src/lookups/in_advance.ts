/** Lookups of a campaign's recipients before its messages are sent. They are bulk lookups with recent results. */
import { bulkLookupChanged, type NumberLookup } from '@parley/contract/lookups/lookups.ts';
import { closeHolds } from '../billing/billing.ts';
import type { Queryable, Tx } from '../kernel/db/db.ts';
import { enqueue } from '../kernel/jobs/jobs.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { emit } from '../kernel/live/events.ts';
import { insertBulk } from './bulk.ts';
import { getLookupPrice, listKnownResults } from './insert.ts';
import { lookupRun } from './jobs.ts';
import * as queries from './queries.ts';

export type NumberStatus = Exclude<NumberLookup['status'], 'pending'>;

/**
 * Returns the newest result of each number since a time. Without a provider, the numbering plan has a result for every
 * number. Numbers without a result have to be looked up.
 */
export async function listKnownStatuses(
  db: Queryable,
  kernel: Kernel,
  account_id: string,
  since: Date,
  numbers: readonly string[],
): Promise<Map<string, NumberStatus>> {
  const { is_live } = await getLookupPrice(db, kernel, { account_id });
  const results = await listKnownResults(db, kernel, { account_id, is_live, since }, numbers);
  return new Map([...results].map(([number, { status }]) => [number, status]));
}

export interface LookupSource {
  account_id: string;
  /** The campaign's name. */
  name: string;
}

/** Starts the bulk lookup of a campaign, holds its price, and returns its ID. */
export const lookUpInAdvance = (
  tx: Tx,
  kernel: Kernel,
  { account_id, name }: LookupSource,
  numbers: readonly { number: string; country: string }[],
): Promise<string> => insertBulk(tx, kernel, { account_id, name, audience_id: null, numbers, invalid: 0 });

/** Pauses a bulk lookup, or continues it. Without effect if it is completed or was deleted. */
export async function pauseBulk(tx: Tx, account_id: string, id: string, isPaused: boolean): Promise<void> {
  const bulk = await queries.lockBulk(tx, account_id, id);
  if (!bulk || bulk.status === 'completed') return;
  const status = isPaused ? 'paused' : 'in_progress';
  if (bulk.status === status) return;
  await queries.setBulkStatus(tx, account_id, id, status);
  if (!isPaused) await enqueue(tx, lookupRun, { account_id, bulk_id: id, id: null });
  emit(tx, bulkLookupChanged, account_id, { id, status, done: bulk.done, total: bulk.total });
}

/** Ends a bulk lookup. Numbers that the provider does not have yet are left out, and their hold is released. */
export async function endBulk(tx: Tx, account_id: string, id: string): Promise<void> {
  const bulk = await queries.lockBulk(tx, account_id, id);
  if (!bulk || bulk.status === 'completed') return;
  const { count, holds } = await queries.deletePending(tx, account_id, id);
  const { status, done, total } = await queries.shrinkBulk(tx, account_id, id, count);
  emit(tx, bulkLookupChanged, account_id, { id, status, done, total });
  // The balance is locked last.
  await closeHolds(tx, queries.toReleases(account_id, holds));
}
