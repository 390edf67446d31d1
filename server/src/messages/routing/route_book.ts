/**
 * Finds the connection for a number. The longest prefix takes precedence over a country, and a country over the whole
 * world. Among equal routes, the one with the lowest priority value whose bind is up is used. A campaign needs a lookup
 * for every recipient, so lookups use an in-memory book, a snapshot that is at most a second old. A less specific route
 * is not a failover for a more specific one: operators add a second route of the same scope instead.
 */
import type { AdapterSettings } from '@parley/contract/channels/adapter.ts';
import { ADAPTERS, type AdapterName } from '@parley/contract/channels/adapters.ts';
import { ASSUMED_PROFILE, isSameCount, type SmsProfile } from '@parley/contract/channels/sms/profile.ts';
import { type Db, type Queryable, sql } from '../../kernel/db/db.ts';

interface Route {
  connection_id: string;
  /** Other connections to use while `connection_id` is down, best first. */
  alternatives: string[];
}

export interface RouteBook {
  /** Accepts `number` with or without the plus sign. Returns null if no connection carries it. */
  route(channel: string, number: string, country: string): Route | null;
  /** Returns the segmentation rules of a connection. */
  profile(connection_id: string): SmsProfile;
  /** Returns the profile of all connections of a channel, or null if they divide texts differently. */
  commonProfile(channel: string): SmsProfile | null;
}

interface RouteRow {
  channel: string;
  prefix: string;
  country: string;
  connection_id: string;
  live: boolean;
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
  const lists = new Map<string, Route>();
  const grouped = new Map<string, RouteRow[]>();
  for (const row of rows) {
    const key = routeKey(row.channel, row.prefix, row.country);
    const group = grouped.get(key);
    if (group) group.push(row);
    else grouped.set(key, [row]);
  }
  // Rows are sorted by priority. Connections that are up go first and keep this order.
  for (const [key, group] of grouped) {
    const order = [...group.filter((row) => row.live), ...group.filter((row) => !row.live)];
    const [connection_id, ...alternatives] = [...new Set(order.map((row) => row.connection_id))];
    lists.set(key, { connection_id: connection_id!, alternatives });
  }
  const longest = Math.min(MAX_PREFIX, Math.max(0, ...rows.map((row) => row.prefix.length)));
  const profiles = new Map(rows.flatMap(({ connection_id, profile }) => (profile ? [[connection_id, profile]] : [])));
  return {
    profile: (connection_id) => profiles.get(connection_id) ?? ASSUMED_PROFILE,
    commonProfile(channel) {
      const [first = ASSUMED_PROFILE, ...others] = rows.flatMap((row) =>
        row.channel === channel && row.profile ? [row.profile] : [],
      );
      return others.every((other) => isSameCount(other, first)) ? first : null;
    },
    route(channel, number, country) {
      const digits = number.startsWith('+') ? number.slice(1) : number;
      for (let length = Math.min(longest, digits.length); length >= 0; length--) {
        const prefix = digits.slice(0, length);
        const route = lists.get(routeKey(channel, prefix, country)) ?? lists.get(routeKey(channel, prefix, ''));
        if (route) return route;
      }
      return null;
    },
  };
}

const routeKey = (channel: string, prefix: string, country: string) => `${channel} ${prefix} ${country}`;

async function readRoutes(db: Queryable): Promise<RouteRow[]> {
  const rows = await db.rows<RouteRow & { adapter: AdapterName; settings: object }>(sql`
    select r.channel, coalesce(r.prefix, '') as prefix, coalesce(r.country, '') as country, r.connection_id,
           c.adapter, c.settings,
           exists (select 1 from binds b
                   where b.connection_id = r.connection_id and b.state in ('bound', 'throttled')
                     and b.lease_until > now()) as live
    from routes r join connections c on c.id = r.connection_id
    where r.enabled and c.enabled and c.channel = r.channel
    order by r.priority, r.id`);
  return rows.map(({ adapter, settings, ...row }) => ({ ...row, profile: readProfile(adapter, settings) }));
}

const readProfile = (adapter: AdapterName, settings: object): SmsProfile | undefined =>
  (ADAPTERS as Readonly<Record<string, AdapterSettings>>)[adapter]?.profile?.(settings);
