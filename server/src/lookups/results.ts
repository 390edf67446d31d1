/** Stores results, and closes the holds of their numbers: a number that was found is charged, others are released. */
import { bulkLookupChanged, numberLookupChanged } from '@parley/contract/lookups/lookups.ts';
import { closeHolds } from '../billing/billing.ts';
import type { Tx } from '../kernel/db/db.ts';
import { emit } from '../kernel/live/events.ts';
import type { LookupResult } from './providers/provider.ts';
import * as queries from './queries.ts';

export async function applyResults(
  tx: Tx,
  account_id: string,
  batch_id: string,
  results: readonly LookupResult[],
): Promise<void> {
  const once = [...new Map(results.map((result) => [result.number, result])).values()];
  const stored = await queries.storeResults(tx, account_id, batch_id, once);
  if (stored.length === 0) return;
  for (const { id, bulk_id, status } of stored)
    if (bulk_id === null) emit(tx, numberLookupChanged, account_id, { id, status });
  for (const bulk_id of new Set(stored.map((row) => row.bulk_id)))
    if (bulk_id !== null) await countResults(tx, account_id, bulk_id, stored);
  // The balance is locked last.
  await closeHolds(
    tx,
    stored.flatMap(({ hold_id, price_micros, charged }) =>
      hold_id === null
        ? []
        : [
            {
              account_id,
              hold_id,
              outcome: charged ? ('settled' as const) : ('released' as const),
              amount_micros: price_micros,
              message_count: 0,
              campaign_id: null,
            },
          ],
    ),
  );
}

async function countResults(
  tx: Tx,
  account_id: string,
  bulk_id: string,
  stored: readonly queries.StoredResult[],
): Promise<void> {
  const rows = stored.filter((row) => row.bulk_id === bulk_id);
  const count = (status: string) => rows.filter((row) => row.status === status).length;
  const bulk = await queries.addToBulk(tx, account_id, bulk_id, {
    done: rows.length,
    good: count('good'),
    bad: count('bad'),
    landline: count('landline'),
    unknown: count('unknown'),
    ported: rows.filter(({ ported }) => ported).length,
    cost_micros: rows.reduce((sum, { charged, price_micros }) => sum + (charged ? price_micros : 0), 0),
  });
  emit(tx, bulkLookupChanged, account_id, { id: bulk_id, status: bulk.status, done: bulk.done, total: bulk.total });
}
