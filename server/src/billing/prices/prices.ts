/**
 * The price per unit (a segment or a whole message), looked up in memory for every recipient of a campaign. An
 * account's custom price takes precedence over a standard price, a price for the purpose over a general price, and a
 * price for the network over a price for the country. Prices are reloaded as soon as one has changed, so no outdated
 * price is charged. Planned changes are loaded with them and apply from their time on, in every process, before a job
 * writes them to the price list.
 */
import type { VolumeStep } from '@parley/contract/billing/volume_steps.ts';
import type { Purpose } from '@parley/contract/messages/content.ts';
import { type Db, type Queryable, sql, type Tx } from '../../kernel/db/db.ts';

export interface Price {
  /** Price per unit. */
  price_micros: number;
  /** The network of the number, if known. */
  mccmnc: string | null;
  /** Set if the price falls with the volume of the month. `price_micros` is the price of the first units. */
  volume?: VolumeRates | undefined;
}

/** The destination that a volume counts. */
export interface VolumeKey {
  readonly channel: string;
  readonly country: string;
  readonly mccmnc: string | null;
  readonly purpose: Purpose | null;
  readonly currency: string;
}
export interface VolumeRates {
  readonly key: VolumeKey;
  /** The price of a unit without steps. */
  readonly list_micros: number;
  /** In the order of their units; not empty. */
  readonly steps: readonly VolumeStep[];
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
  /** Whether a network of the country has a price of its own. */
  variesByNetwork(account_id: string, channel: string, country: string, currency: string): boolean;
  /** The prices in force at a time. The same book if no planned change takes effect until then. */
  at(date: Date): PriceBook;
}

interface CachedBooks {
  revision: number;
  at: (date: Date) => PriceBook;
}
const cache = new WeakMap<Db, CachedBooks>();

/**
 * Returns the prices in force now. `db` is the caller's transaction, if it has one, so that the lookup does not wait
 * for a second connection.
 */
export async function readPriceBook(kernel: { db: Db }, db: Queryable = kernel.db): Promise<PriceBook> {
  const { revision } = await db.one<{ revision: number }>(sql`select revision from price_revision`);
  // A message keeps the price of the time that is stored as its creation.
  const now = (db as Partial<Tx>).now ?? kernel.db.clock.now();
  const cached = cache.get(kernel.db.root);
  if (cached?.revision === revision) return cached.at(now);
  // Read after the revision. At worst, the next caller reads the prices again, but no change is missed.
  const at = await loadBooks(db);
  cache.set(kernel.db.root, { revision, at });
  return at(now);
}

/** Returns the books of all times, including these changes. */
export async function loadBooks(
  db: Queryable,
  changes: readonly PlannedRate[] = [],
  added: readonly VolumeRow[] = [],
): Promise<CachedBooks['at']> {
  const rows = await listRates(db);
  const planned = rows.flatMap(({ effective_ms, ...row }) => (effective_ms === null ? [] : [{ ...row, effective_ms }]));
  const current = rows.flatMap(({ effective_ms, price_micros, ...key }): RateRow[] =>
    effective_ms === null && price_micros !== null ? [{ ...key, price_micros }] : [],
  );
  return createBooks({
    rates: current,
    planned: [...planned, ...changes],
    volumes: [...(await listVolumeRates(db)), ...added].sort((a, b) => a.effective_ms - b.effective_ms),
    finder: createNetworkFinder(await listPrefixes(db), await listNetworks(db)),
  });
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
/** A list price from a time on. Null: there is none from then on. */
export type PlannedRate = Omit<RateRow, 'account_id' | 'price_micros'> & {
  price_micros: number | null;
  effective_ms: number;
};

/** One statement, so that a planned change that is being written to `rates` is read once: in one table or the other. */
const listRates = (db: Queryable) =>
  db.rows<Omit<RateRow, 'price_micros'> & { price_micros: number | null; effective_ms: number | null }>(sql`
    select account_id, channel, country, mccmnc, currency, purpose, price_micros, null::bigint as effective_ms
    from rates
    union all
    select null, channel, country, mccmnc, currency, purpose, price_micros,
           (extract(epoch from effective_date) * 1000)::bigint
    from planned_prices where effective_date is not null`);
/** Steps from a month on. */
export interface VolumeRow extends VolumeKey {
  readonly account_id: string | null;
  readonly steps: readonly VolumeStep[];
  /** The start of the month, in milliseconds. */
  readonly effective_ms: number;
}
const listVolumeRates = (db: Queryable) =>
  db.rows<VolumeRow>(sql`
    select account_id, channel, country, mccmnc, purpose, currency, steps,
           (extract(epoch from month::timestamp at time zone 'UTC') * 1000)::bigint as effective_ms
    from volume_prices order by month`);
const listPrefixes = (db: Queryable) =>
  db.rows<{ prefix: string; mccmnc: string }>(sql`select prefix, mccmnc from network_prefixes`);
const listNetworks = (db: Queryable) =>
  db.rows<{ mccmnc: string; name: string }>(sql`select mccmnc, name from networks`);

const destination = ({ channel, country, mccmnc, currency, purpose }: Omit<PlannedRate, 'price_micros'>): string =>
  `${channel} ${currency} ${country} ${mccmnc ?? ''} ${purpose ?? ''}`;

interface Prices {
  readonly rates: readonly RateRow[];
  readonly planned: readonly PlannedRate[];
  readonly volumes: readonly VolumeRow[];
  readonly finder: NetworkFinder;
}

/** Builds a book for each time at which a price changes, when the first call needs it. */
function createBooks({ rates, planned, volumes, finder }: Prices): CachedBooks['at'] {
  const ordered = planned.toSorted((a, b) => a.effective_ms - b.effective_ms);
  const books = new Map<number, PriceBook>();
  // There are few distinct times: price lists change thousands of prices at once, and volume prices change monthly.
  const times = [...new Set([...ordered, ...volumes].map(({ effective_ms }) => effective_ms))].sort((a, b) => a - b);
  const at = (date: Date): PriceBook => {
    const last = times.findLast((time) => time <= date.getTime()) ?? Number.NEGATIVE_INFINITY;
    let book = books.get(last);
    if (!book) {
      const isDue = ({ effective_ms }: { effective_ms: number }) => effective_ms <= last;
      const steps = findSteps(volumes.filter(isDue));
      book = createPriceBook(withChanges(rates, ordered.filter(isDue)), steps, finder, at);
      books.set(last, book);
    }
    return book;
  };
  return at;
}

type StepFinder = (account_id: string, isListPrice: boolean, key: VolumeKey) => readonly VolumeStep[] | undefined;

/** `rows` are in the order of their months, so the last one of a destination applies. An account's own come first. */
function findSteps(rows: readonly VolumeRow[]): StepFinder {
  if (rows.length === 0) return () => undefined;
  const text = (account_id: string | null, { channel, country, mccmnc, purpose, currency }: VolumeKey) =>
    `${account_id ?? ''} ${channel} ${currency} ${country} ${mccmnc ?? ''} ${purpose ?? ''}`;
  const steps = new Map(rows.map((row) => [text(row.account_id, row), row.steps]));
  return (account_id, isListPrice, key) => {
    const found = steps.get(text(account_id, key)) ?? (isListPrice ? steps.get(text(null, key)) : undefined);
    return found && found.length > 0 ? found : undefined;
  };
}

function withChanges(rates: readonly RateRow[], changes: readonly PlannedRate[]): readonly RateRow[] {
  if (changes.length === 0) return rates;
  const last = new Map(changes.map((change) => [destination(change), change]));
  const isChanged = (row: RateRow) => row.account_id === null && last.has(destination({ ...row, effective_ms: 0 }));
  const added = [...last.values()].flatMap(({ price_micros, effective_ms: _, ...key }): RateRow[] =>
    price_micros === null ? [] : [{ ...key, account_id: null, price_micros }],
  );
  return [...rates.filter((row) => !isChanged(row)), ...added];
}

type NetworkFinder = Pick<PriceBook, 'network' | 'networkName'>;

function createNetworkFinder(
  prefixes: readonly { prefix: string; mccmnc: string }[],
  networks: readonly { mccmnc: string; name: string }[],
): NetworkFinder {
  const holders = new Map(prefixes.map((row) => [row.prefix, row.mccmnc]));
  const names = new Map(networks.map((row) => [row.mccmnc, row.name]));
  const lengths = [...new Set(prefixes.map((row) => row.prefix.length))].sort((a, b) => b - a);
  return {
    network(number) {
      for (const length of lengths) {
        const mccmnc = holders.get(number.slice(0, length));
        if (mccmnc !== undefined) return mccmnc;
      }
      return null;
    },
    networkName: (mccmnc) => (mccmnc === null ? null : (names.get(mccmnc) ?? null)),
  };
}

function createPriceBook(
  rates: readonly RateRow[],
  findVolume: StepFinder,
  finder: NetworkFinder,
  at: PriceBook['at'],
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
  const varying = new Set(
    rates
      .filter(({ mccmnc }) => mccmnc !== null)
      .map((rate) => priceKey(rate.account_id, rate.channel, rate.currency, rate.country, null)),
  );
  const standardPrices = pricesFor(null);
  const pricesByPurpose = new Map(
    [...new Set(rates.map((rate) => rate.purpose))].map((purpose) => [purpose, pricesFor(purpose)]),
  );
  return {
    price(account_id, channel, number, country, currency, purpose = null, known = null) {
      const mccmnc = known ?? finder.network(number);
      const own = purpose === null ? undefined : pricesByPurpose.get(purpose);
      const lists = own ? [own, standardPrices] : [standardPrices];
      for (const account of [account_id, null]) {
        for (const prices of lists) {
          const find = (code: string | null) => prices.get(priceKey(account, channel, currency, country, code));
          const network = mccmnc === null ? undefined : find(mccmnc);
          const price_micros = network ?? find(null);
          if (price_micros === undefined) continue;
          const key = {
            ...{ channel, country, currency },
            mccmnc: network === undefined ? null : mccmnc,
            purpose: prices === own ? purpose : null,
          };
          const steps = findVolume(account_id, account === null, key);
          return { price_micros, mccmnc, volume: steps && { key, list_micros: price_micros, steps } };
        }
      }
      return null;
    },
    variesByNetwork: (account_id, channel, country, currency) =>
      [account_id, null].some((account) => varying.has(priceKey(account, channel, currency, country, null))),
    ...finder,
    at,
  };
}
