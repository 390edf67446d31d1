/**
 * Carrier lookups. The price of a lookup is held when it is created, and charged only if the provider finds the number.
 * A recent result of the account is used again for free.
 */
import type { Parsed } from '@parley/contract/endpoint.ts';
import {
  type createNumberLookup,
  type listNumberLookups,
  type NumberLookup,
  numberLookupChanged,
} from '@parley/contract/lookups/lookups.ts';
import { Problem } from '@parley/contract/problem.ts';
import { parseNumber } from '../audiences/audiences.ts';
import { newId } from '../kernel/clock.ts';
import { type Queryable, runTogether, type Tx } from '../kernel/db/db.ts';
import { type Paged, paged, readPage } from '../kernel/db/list.ts';
import { enqueue } from '../kernel/jobs/jobs.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { emit } from '../kernel/live/events.ts';
import type { Actor } from '../kernel/security/auth.ts';
import { insertNumbers, readAccount } from './insert.ts';
import { lookupRun } from './jobs.ts';
import * as queries from './queries.ts';

export { lookupChecks } from './check.ts';
export { endBulk, listKnownStatuses, lookUpInAdvance, type NumberStatus, pauseBulk } from './in_advance.ts';
export { getLookupPrice, resultsSince } from './insert.ts';

export async function listLookups(
  db: Queryable,
  { account_id }: Actor,
  query: Parsed<typeof listNumberLookups>['query'],
): Promise<Paged<NumberLookup>> {
  const page = readPage(query);
  const [rows, total] = await runTogether(
    queries.listLookups(db, account_id, query.filter ?? {}, page),
    queries.countLookups(db, account_id, query.filter ?? {}, page),
  );
  return paged(page, rows, total, (row) => row.id);
}

export async function getLookup(db: Queryable, { account_id }: Actor, id: string): Promise<NumberLookup> {
  const row = await queries.findLookup(db, account_id, id);
  if (!row) throw new Problem('LOOKUP_NOT_FOUND');
  return row;
}

export async function createLookup(
  tx: Tx,
  kernel: Kernel,
  actor: Actor,
  { number, refresh }: Parsed<typeof createNumberLookup>['body'],
): Promise<NumberLookup> {
  const { account_id } = actor;
  const { country_code } = await readAccount(tx, account_id);
  const parsed = parseNumber(number, country_code);
  if (!parsed) throw new Problem('USER_PHONE_INVALID', { field: 'number' });
  const id = newId();
  const { pending } = await insertNumbers(tx, kernel, { account_id, bulk_id: null, refresh }, [{ ...parsed, id }]);
  if (pending > 0) await enqueue(tx, lookupRun, { account_id, bulk_id: null, id });
  const lookup = await getLookup(tx, actor, id);
  emit(tx, numberLookupChanged, account_id, { id, status: lookup.status });
  return lookup;
}

export async function removeLookup(tx: Tx, actor: Actor, id: string): Promise<void> {
  const { status } = await getLookup(tx, actor, id);
  if (status === 'pending') throw new Problem('LOOKUP_PENDING');
  await queries.deleteLookup(tx, actor.account_id, id);
  emit(tx, numberLookupChanged, actor.account_id, { id, status });
}
