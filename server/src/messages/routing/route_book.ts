/**
 * Finds the connection for a number. The longest prefix takes precedence over a country, and a country over the whole
 * world. Among equal routes, connections that are up and in good health come first, then the lowest priority value.
 * Routes with the same priority share the numbers by percentage, or else the cheapest one is used. A number always
 * belongs to the same share, so that its messages take the same route. If a route fails, the others share its numbers
 * by percentage, and keep their own. A campaign needs a lookup for every recipient,
 * so lookups use an in-memory book, a snapshot that is at most a second old. A less specific route is not a failover
 * for a more specific one: operators add a second route of the same scope instead.
 */
import type { AdapterSettings } from '@parley/contract/channels/adapter.ts';
import { ADAPTERS, type AdapterName } from '@parley/contract/channels/adapters.ts';
import { ASSUMED_PROFILE, isSameCount, type SmsProfile } from '@parley/contract/channels/sms/profile.ts';
import { type Db, type Queryable, sql } from '../../kernel/db/db.ts';

import { isDailyLimitReached } from '../model/daily_limit.ts';
import { poorHealth } from './connection_health.ts';
import { type CostRow, createCostFinder, type FindCost } from './route_costs.ts';

interface Route {
  connection_id: string;
  /** Other connections to use while `connection_id` is down, best first. */
  alternatives: string[];
  /** Why `connection_id` was chosen. */
  why: string;
}

export interface RouteBook {
  /**
   * Accepts `number` with or without the plus sign. `network` is the network of the number, if it is known; without it,
   * the range of the number decides. Returns null if no connection carries the number.
   */
  route(channel: string, number: string, country: string, network?: string | null): Route | null;
  /** Returns a connection's name, for explanations. */
  name(connection_id: string): string;
  /** Returns the segmentation rules of a connection. */
  profile(connection_id: string): SmsProfile;
  /** Returns the profile of all connections of a channel, or null if they divide texts differently. */
  commonProfile(channel: string): SmsProfile | null;
  /** Returns the cost of a segment over a connection. */
  cost: FindCost;
}

/** `mccmnc` is the network of the prefix, if the route applies to a network. */
interface RouteRow extends CostRow {
  live: boolean;
  name?: string;
  priority?: number;
  percentage?: number | null;
  /** Why the connection is in poor health; null or empty if it is not. */
  poor?: string | null;
  profile?: SmsProfile | undefined;
}

const MAX_AGE_MS = 1_000;

/** The maximum length of a route's prefix. */
const MAX_PREFIX = 12;

interface BookCache {
  book: RouteBook | null;
  read_at: number;
  reading: Promise<RouteBook> | null;
}

const caches = new WeakMap<Db, BookCache>();

function cacheFor(db: Db): BookCache {
  let shelf = caches.get(db.root);
  if (!shelf) {
    shelf = { book: null, read_at: 0, reading: null };
    caches.set(db.root, shelf);
  }
  return shelf;
}

/**
 * Returns the current book, or a slightly outdated one while a new one is being read. Only the first call in a process,
 * and the first after `forgetRoutes`, waits for the read. That read uses `callerDb`, the caller's transaction,
 * because waiting for a second database connection while holding one can deadlock.
 */
export async function getRouteBook(kernel: { db: Db }, callerDb: Queryable = kernel.db): Promise<RouteBook> {
  const shelf = cacheFor(kernel.db);
  const keep = (rows: RouteRow[]): RouteBook => {
    shelf.book = buildBook(rows);
    shelf.read_at = performance.now();
    return shelf.book;
  };
  if (!shelf.book) return keep(await readRoutes(callerDb));
  if (performance.now() - shelf.read_at >= MAX_AGE_MS) {
    shelf.reading ??= readRoutes(kernel.db)
      .then(keep)
      .finally(() => {
        shelf.reading = null;
      });
    shelf.reading.catch(() => {});
  }
  return shelf.book;
}

/**
 * Drops the cached book when routes or connections change in this process. Other processes notice the change within a
 * second.
 */
export function forgetRoutes(db: Db): void {
  caches.delete(db.root);
}

export function buildBook(rows: readonly RouteRow[]): RouteBook {
  const group = (some: readonly RouteRow[]) =>
    new Map(
      [...Map.groupBy(some, (row) => routeKey(row.channel, row.prefix, row.country))].map(([key, routes]) => [
        key,
        orderRoutes(weigh(routes)),
      ]),
    );
  const lists = group(rows);
  const plain = group(rows.filter(({ mccmnc }) => !mccmnc));
  const networks = readNetworks(rows);
  const longest = Math.min(MAX_PREFIX, Math.max(0, ...rows.map((row) => row.prefix.length)));
  const names = new Map(rows.map(({ connection_id, name = connection_id }) => [connection_id, name]));
  const profiles = new Map(rows.flatMap(({ connection_id, profile }) => (profile ? [[connection_id, profile]] : [])));
  /**
   * The number may have left the network of its range, so routes for other networks do not apply. Those for its network
   * rank like a prefix that is as long as the longest prefix of the network.
   */
  const routeOn = (network: string, channel: string, digits: string, country: string): Route | null => {
    const own = networks.get(`${channel} ${network}`);
    for (let length = Math.min(longest, digits.length); length >= 0; length--) {
      if (own?.length === length) return chooseRoute(own.ordered, digits);
      const prefix = digits.slice(0, length);
      const ordered = plain.get(routeKey(channel, prefix, country)) ?? plain.get(routeKey(channel, prefix, ''));
      if (ordered) return chooseRoute(ordered, digits);
    }
    return null;
  };
  return {
    name: (connection_id) => names.get(connection_id) ?? connection_id,
    cost: createCostFinder(rows),
    profile: (connection_id) => profiles.get(connection_id) ?? ASSUMED_PROFILE,
    commonProfile(channel) {
      const [first = ASSUMED_PROFILE, ...others] = rows.flatMap((row) =>
        row.channel === channel && row.profile ? [row.profile] : [],
      );
      return others.every((other) => isSameCount(other, first)) ? first : null;
    },
    route(channel, number, country, network = null) {
      const digits = number.startsWith('+') ? number.slice(1) : number;
      if (network !== null) return routeOn(network, channel, digits, country);
      for (let length = Math.min(longest, digits.length); length >= 0; length--) {
        const prefix = digits.slice(0, length);
        const ordered = lists.get(routeKey(channel, prefix, country)) ?? lists.get(routeKey(channel, prefix, ''));
        if (ordered) return chooseRoute(ordered, digits);
      }
      return null;
    },
  };
}

/** The routes of each network on each channel, and the length of the longest prefix of the network. */
function readNetworks(rows: readonly RouteRow[]): Map<string, { length: number; ordered: WeightedRow[] }> {
  const ofNetworks = rows.filter(({ mccmnc }) => mccmnc);
  const groups = Map.groupBy(ofNetworks, ({ channel, mccmnc }) => `${channel} ${mccmnc}`);
  return new Map(
    [...groups].map(([key, group]) => {
      // A route has a row for each prefix of its network.
      const once = new Map(group.map((row) => [`${row.connection_id} ${readPriority(row)}`, row]));
      return [
        key,
        {
          length: Math.max(...group.map(({ prefix }) => prefix.length)),
          ordered: orderRoutes(weigh([...once.values()])),
        },
      ];
    }),
  );
}

/** Lower is better: in good health, in poor health, down. */
const rateRow = ({ live, poor }: RouteRow): number => (live ? (poor ? 1 : 0) : 2);
const readPriority = ({ priority = 10 }: RouteRow): number => priority;

/** Rows are sorted by priority and age, and keep this order among equals. */
function orderRoutes(group: readonly WeightedRow[]): WeightedRow[] {
  const cost = ({ cost_micros }: RouteRow) => cost_micros ?? Number.POSITIVE_INFINITY;
  return group.toSorted(
    (one, two) =>
      rateRow(one) - rateRow(two) ||
      readPriority(one) - readPriority(two) ||
      (cost(one) === cost(two) ? 0 : cost(one) - cost(two)),
  );
}

/** `ordered` consists of blocks of equal routes, best first. */
function chooseRoute(ordered: readonly WeightedRow[], digits: string): Route {
  const best = ordered.some(({ weight }) => weight !== null)
    ? splitBlocks(ordered).flatMap((block) => orderByShare(block, digits))
    : ordered;
  const [chosen, ...rest] = best as [WeightedRow, ...WeightedRow[]];
  const others = new Set(rest.map((row) => row.connection_id));
  others.delete(chosen.connection_id);
  const equals = ordered.filter((row) => isEqual(row, chosen));
  return {
    connection_id: chosen.connection_id,
    alternatives: [...others],
    why: explainChoice(chosen, equals, ordered),
  };
}

const isEqual = (one: RouteRow, two: RouteRow): boolean =>
  rateRow(one) === rateRow(two) && readPriority(one) === readPriority(two);

function splitBlocks(ordered: readonly WeightedRow[]): WeightedRow[][] {
  const blocks: WeightedRow[][] = [];
  for (const row of ordered) {
    const last = blocks.at(-1);
    if (last && isEqual(last[0]!, row)) last.push(row);
    else blocks.push([row]);
  }
  return blocks;
}

/** A route with its weight among the routes of the same priority. Null if none of them has a percentage. */
type WeightedRow = RouteRow & { readonly weight: number | null };

/** Rows without a percentage divide the rest of the 100 percent. Routes that are down keep their weight. */
function weigh(group: readonly RouteRow[]): WeightedRow[] {
  const byPriority = Map.groupBy(group, readPriority);
  const rests = new Map([...byPriority].map(([priority, rows]) => [priority, divideRest(rows)]));
  return group.map((row) => {
    const rest = rests.get(readPriority(row)) ?? null;
    return { ...row, weight: rest === null ? null : row.percentage || rest };
  });
}

function divideRest(rows: readonly RouteRow[]): number | null {
  if (!rows.some(({ percentage }) => percentage)) return null;
  const open = rows.filter(({ percentage }) => !percentage).length;
  const given = rows.reduce((sum, { percentage }) => sum + (percentage ?? 0), 0);
  return open === 0 ? 0 : Math.max(0, 100 - given) / open;
}

/**
 * Weighted rendezvous hashing: each route gets a score for the number, and the highest comes first. If a route is
 * removed, the order of the others stays the same, and its numbers are spread over them by weight.
 */
function orderByShare(block: readonly WeightedRow[], digits: string): readonly WeightedRow[] {
  if (block.length < 2) return block;
  const scores = new Map(
    block.map((row) => [row, -(row.weight ?? 0) / Math.log(spread(digits, row.connection_id))] as const),
  );
  return block.toSorted((one, two) => scores.get(two)! - scores.get(one)!);
}

/** Maps a number on a route to a place between 0 and 1 (FNV-1a and the finalizer of MurmurHash3). */
function spread(digits: string, route: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < route.length; at++) hash = Math.imul(hash ^ route.charCodeAt(at), 0x01000193);
  for (let at = 0; at < digits.length; at++) hash = Math.imul(hash ^ digits.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (((hash ^ (hash >>> 16)) >>> 0) + 0.5) / 2 ** 32;
}

/** Customers read this too, so it names no other connection. */
function explainChoice(chosen: RouteRow, equals: readonly RouteRow[], ordered: readonly RouteRow[]): string {
  const reasons = [`priority ${readPriority(chosen)}`];
  const shares = equals.some(({ percentage }) => percentage);
  if (shares) reasons.push(chosen.percentage ? `a share of ${chosen.percentage}%` : 'the remaining share');
  else if (equals.length > 1 && chosen.cost_micros != null) reasons.push('the lowest cost');
  const skipped = ordered.flatMap((row) => {
    const { live, poor } = row;
    if (readPriority(row) > readPriority(chosen) || rateRow(row) <= rateRow(chosen)) return [];
    return [
      live
        ? `a preferred connection is in poor health (${poor})`
        : 'a preferred connection is down or has reached its daily limit',
    ];
  });
  return [reasons.join(', '), ...new Set(skipped)].join('; ');
}

const routeKey = (channel: string, prefix: string, country: string) => `${channel} ${prefix} ${country}`;

async function readRoutes(db: Queryable): Promise<RouteRow[]> {
  const rows = await db.rows<RouteRow & { adapter: AdapterName; settings: object }>(sql`
    select r.channel, coalesce(r.prefix, n.prefix, '') as prefix,
           case when r.mccmnc is null then coalesce(r.country, '') else '' end as country, r.connection_id,
           r.priority, r.percentage, r.cost_micros, r.cost_currency, r.mccmnc, c.name, c.adapter, c.settings,
           ${poorHealth} as poor,
           exists (select 1 from binds b
                   where b.connection_id = r.connection_id and b.state in ('bound', 'throttled')
                     and b.lease_until > now()) and not ${isDailyLimitReached} as live
    from routes r join connections c on c.id = r.connection_id
    left join network_prefixes n on n.mccmnc = r.mccmnc and r.prefix is null
    where r.enabled and c.enabled and c.channel = r.channel and (r.mccmnc is null or n.prefix is not null)
    order by r.priority, r.id`);
  return rows.map(({ adapter, settings, ...row }) => ({ ...row, profile: readProfile(adapter, settings) }));
}

const readProfile = (adapter: AdapterName, settings: object): SmsProfile | undefined =>
  (ADAPTERS as Readonly<Record<string, AdapterSettings>>)[adapter]?.profile?.(settings);
