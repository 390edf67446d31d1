/**
 * The price per unit (a segment or a whole message), looked up in memory for every recipient of a campaign. An
 * account's own price takes precedence over a standard price, a price for the purpose over a general price, and a price
 * for the network over a price for the country. Prices are reloaded as soon as one has changed, so no outdated price is
 * charged.
 */
import type { Purpose } from '@parley/contract/messages/content.ts';
import { type Db, type Queryable, sql } from '../../kernel/db/db.ts';

export interface Price {
  /** Price per unit. */
  price_micros: number;
  /** The network of the number, if known. */
  mccmnc: string | null;
}

export interface PriceBook {
  /**
   * Returns the price, or null if the destination has none. `number` contains digits only. `purpose` matters only if
   * the channel charges by purpose. `network` is the network of the number, if it is known; without it, the range of
   * the number decides.
   */
  price(
    account_id: string,
    channel: string,
    number: string,
    country: string,
    currency: string,
    purpose?: Purpose | null,
    network?: string | null,
  ): Price | null;
  /** The network that the number's range is assigned to. */
  network(number: string): string | null;
  networkName(mccmnc: string | null): string | null;
}

interface CachedBook {
  revision: number;
  book: PriceBook;
}
const cache = new WeakMap<Db, CachedBook>();

/** `db` is the caller's transaction, if it has one, so that the lookup does not wait for a second connection. */
export async function priceBook(kernel: { db: Db }, db: Queryable = kernel.db): Promise<PriceBook> {
  const { revision } = await db.one<{ revision: number }>(sql`select revision from price_revision`);
  const cached = cache.get(kernel.db.root);
  if (cached?.revision === revision) return cached.book;
  // Read after the revision. At worst, the next caller reads the prices again, but no change is missed.
  const book = createPriceBook(await listRates(db), await listPrefixes(db), await listNetworks(db));
  cache.set(kernel.db.root, { revision, book });
  return book;
}

interface RateRow {
  account_id: string | null;
  channel: string;
  country: string;
  mccmnc: string | null;
  currency: string;
  purpose: Purpose | null;
  price_micros: number;
}

const listRates = (db: Queryable) =>
  db.rows<RateRow>(sql`select account_id, channel, country, mccmnc, currency, purpose, price_micros from rates`);
const listPrefixes = (db: Queryable) =>
  db.rows<{ prefix: string; mccmnc: string }>(sql`select prefix, mccmnc from network_prefixes`);
const listNetworks = (db: Queryable) =>
  db.rows<{ mccmnc: string; name: string }>(sql`select mccmnc, name from networks`);

function createPriceBook(
  rates: readonly RateRow[],
  prefixes: readonly { prefix: string; mccmnc: string }[],
  networks: readonly { mccmnc: string; name: string }[],
): PriceBook {
  const priceKey = (
    account: string | null,
    channel: string,
    currency: string,
    country: string,
    mccmnc: string | null,
  ) => `${account ?? ''} ${channel} ${currency} ${country} ${mccmnc ?? ''}`;
  const pricesFor = (purpose: Purpose | null) =>
    new Map(
      rates
        .filter((rate) => rate.purpose === purpose)
        .map((rate) => [
          priceKey(rate.account_id, rate.channel, rate.currency, rate.country, rate.mccmnc),
          rate.price_micros,
        ]),
    );
  const standardPrices = pricesFor(null);
  const pricesByPurpose = new Map(
    [...new Set(rates.map((rate) => rate.purpose))].map((purpose) => [purpose, pricesFor(purpose)]),
  );
  const holders = new Map(prefixes.map((row) => [row.prefix, row.mccmnc]));
  const names = new Map(networks.map((row) => [row.mccmnc, row.name]));
  const lengths = [...new Set(prefixes.map((row) => row.prefix.length))].sort((a, b) => b - a);
  const findNetwork = (number: string): string | null => {
    for (const length of lengths) {
      const mccmnc = holders.get(number.slice(0, length));
      if (mccmnc !== undefined) return mccmnc;
    }
    return null;
  };
  return {
    price(account_id, channel, number, country, currency, purpose = null, known = null) {
      const mccmnc = known ?? findNetwork(number);
      const own = purpose === null ? undefined : pricesByPurpose.get(purpose);
      const lists = own ? [own, standardPrices] : [standardPrices];
      for (const account of [account_id, null]) {
        for (const prices of lists) {
          const network =
            mccmnc === null ? undefined : prices.get(priceKey(account, channel, currency, country, mccmnc));
          const price_micros = network ?? prices.get(priceKey(account, channel, currency, country, null));
          if (price_micros !== undefined) return { price_micros, mccmnc };
        }
      }
      return null;
    },
    network: findNetwork,
    networkName: (mccmnc) => (mccmnc === null ? null : (names.get(mccmnc) ?? null)),
  };
}
