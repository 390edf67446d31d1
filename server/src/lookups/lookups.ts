/**
 * Carrier lookups. The price of a lookup is held when it is created, and charged only if the provider finds the number.
 * A recent result of the account is used again for free.
 */
import type { Parsed } from '@parley/contract/endpoint.ts';
import {
  type createNumberLookup,
  type LookupPrice,
  type listNumberLookups,
  type NumberLookup,
  numberLookupChanged,
} from '@parley/contract/lookups/lookups.ts';
import { Problem } from '@parley/contract/problem.ts';
import { parseNumber } from '../audiences/audiences.ts';
import { openHold, priceBook } from '../billing/billing.ts';
import { newId } from '../kernel/clock.ts';
import { type Queryable, sql, type Tx, together } from '../kernel/db/db.ts';
import { type Paged, paged, readPage } from '../kernel/db/list.ts';
import { enqueue } from '../kernel/jobs/jobs.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { emit } from '../kernel/live/events.ts';
import type { Actor } from '../kernel/security/auth.ts';
import { lookupRun } from './jobs.ts';
import { currentProvider } from './providers/current.ts';
import { NUMBERING_PLAN, planResult } from './providers/numbering_plan.ts';
import * as queries from './queries.ts';

export { lookupChecks } from './check.ts';

const readAccount = (db: Queryable, account_id: string) =>
  db.one<{ currency: NumberLookup['currency']; country_code: string }>(
    sql`select currency, country_code from accounts where id = ${account_id}`,
  );

export async function getLookupPrice(db: Queryable, kernel: Kernel, { account_id }: Actor): Promise<LookupPrice> {
  const { currency } = await readAccount(db, account_id);
  const provider = currentProvider(kernel.config);
  return {
    price_micros: provider ? kernel.config.LOOKUP_PRICE : 0,
    currency,
    provider: provider?.name ?? NUMBERING_PLAN,
    is_live: provider !== null,
  };
}

export async function listLookups(
  db: Queryable,
  { account_id }: Actor,
  query: Parsed<typeof listNumberLookups>['query'],
): Promise<Paged<NumberLookup>> {
  const page = readPage(query);
  const [rows, total] = await together(
    queries.lookupPage(db, account_id, query.filter ?? {}, page),
    queries.countLookups(db, account_id, query.filter ?? {}),
  );
  return paged(page, rows, total, (row) => row.id);
}

export async function getLookup(db: Queryable, { account_id }: Actor, id: string): Promise<NumberLookup> {
  const row = await queries.lookupById(db, account_id, id);
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

interface NumberToLookUp {
  id: string;
  number: string;
  country: string;
}

/** Inserts lookups. Results that are known immediately are stored, and the price of the others is held. */
export async function insertNumbers(
  tx: Tx,
  kernel: Kernel,
  { account_id, bulk_id, refresh }: { account_id: string; bulk_id: string | null; refresh: boolean },
  numbers: readonly NumberToLookUp[],
): Promise<{ pending: number; known: queries.NewLookup[] }> {
  const price = await getLookupPrice(tx, kernel, { account_id } as Actor);
  const known = await knownResults(tx, kernel, { account_id, refresh, is_live: price.is_live }, numbers);
  const rows = numbers.map(({ id, number, country }): queries.NewLookup => {
    const result = known.get(number) ?? null;
    return { id, number, country, price_micros: result ? 0 : price.price_micros, result };
  });
  const pending = rows.filter(({ result }) => result === null).length;
  const hold_id = pending > 0 && price.price_micros > 0 ? newId() : null;
  await queries.insertLookups(tx, { account_id, bulk_id, hold_id, ...price }, rows);
  if (hold_id !== null)
    await openHold(tx, {
      id: hold_id,
      account_id,
      amount_micros: pending * price.price_micros,
      message_count: 0,
      note: pending === 1 ? 'Carrier lookup' : `${pending} carrier lookups`,
      purpose: 'lookups',
    });
  return { pending, known: rows.filter(({ result }) => result !== null) };
}

type KnownResult = NonNullable<queries.NewLookup['result']>;

async function knownResults(
  tx: Tx,
  kernel: Kernel,
  { account_id, refresh, is_live }: { account_id: string; refresh: boolean; is_live: boolean },
  numbers: readonly NumberToLookUp[],
): Promise<Map<string, KnownResult>> {
  if (!is_live) {
    const prices = await priceBook(kernel, tx);
    const plan = (number: string) => ({
      is_live: false,
      result_date: null,
      is_cached: false,
      ...planResult(number, prices),
    });
    return new Map(numbers.map(({ number }) => [number, plan(number)]));
  }
  if (refresh) return new Map();
  const all = numbers.map(({ number }) => number);
  const rows = await queries.recentResults(tx, tx.now, account_id, all);
  return new Map(rows.map((row) => [row.number, { ...row, is_cached: true }]));
}

export async function removeLookup(tx: Tx, actor: Actor, id: string): Promise<void> {
  const { status } = await getLookup(tx, actor, id);
  if (status === 'pending') throw new Problem('LOOKUP_PENDING');
  await queries.deleteLookup(tx, actor.account_id, id);
  emit(tx, numberLookupChanged, actor.account_id, { id, status });
}
