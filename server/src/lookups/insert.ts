/** Inserts lookups: known results are stored immediately, and the price of the others is held. */
import { CACHE_HOURS, type LookupPrice, type NumberLookup } from '@parley/contract/lookups/lookups.ts';
import { openHold, readPriceBook } from '../billing/billing.ts';
import { newId } from '../kernel/clock.ts';
import { type Queryable, sql, type Tx } from '../kernel/db/db.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Actor } from '../kernel/security/auth.ts';
import { currentProvider } from './providers/current.ts';
import { NUMBERING_PLAN, planResult } from './providers/numbering_plan.ts';
import * as queries from './queries.ts';

export const readAccount = (db: Queryable, account_id: string) =>
  db.one<{ currency: NumberLookup['currency']; country_code: string }>(
    sql`select currency, country_code from accounts where id = ${account_id}`,
  );

export async function getLookupPrice(
  db: Queryable,
  kernel: Kernel,
  { account_id }: Pick<Actor, 'account_id'>,
): Promise<LookupPrice> {
  const { currency } = await readAccount(db, account_id);
  const provider = currentProvider(kernel.config);
  return {
    price_micros: provider ? kernel.config.LOOKUP_PRICE : 0,
    currency,
    provider: provider?.name ?? NUMBERING_PLAN,
    is_live: provider !== null,
  };
}

/** Returns how old stored results may be: a lookup at this time reuses newer ones. */
export const resultsSince = (now: Date): Date => new Date(now.getTime() - CACHE_HOURS * 3_600_000);

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
  const price = await getLookupPrice(tx, kernel, { account_id });
  const since = refresh ? null : resultsSince(tx.now);
  const all = numbers.map(({ number }) => number);
  const known = await listKnownResults(tx, kernel, { account_id, is_live: price.is_live, since }, all);
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

/** Returns the newest result of each number since a time. Without a provider, the numbering plan knows all. */
export async function listKnownResults(
  db: Queryable,
  kernel: Kernel,
  { account_id, is_live, since }: { account_id: string; is_live: boolean; since: Date | null },
  numbers: readonly string[],
): Promise<Map<string, KnownResult>> {
  if (!is_live) {
    const prices = await readPriceBook(kernel, db);
    const plan = (number: string) => ({
      is_live: false,
      result_date: null,
      is_cached: false,
      ...planResult(number, prices),
    });
    return new Map(numbers.map((number) => [number, plan(number)]));
  }
  if (since === null) return new Map();
  const rows = await queries.listResultsSince(db, since, account_id, numbers);
  return new Map(rows.map((row) => [row.number, { ...row, is_cached: true }]));
}
