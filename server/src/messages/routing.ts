/**
 * Which connection carries a number: the longest prefix wins over a country, a country over everywhere; among equals the lower priority that
 * has a line up. Answered from memory for every recipient of a campaign, so a book is a snapshot, at most a second old.
 * A less specific route is no fallback for a more specific one: an operator who wants failover adds a second route of the same reach.
 */
import { type Db, type Queryable, sql } from '../kernel/db/db.ts';

export interface Route {
  connection_id: string;
  /** Where it may go instead while `connection_id` has no line up, best first. */
  alternatives: string[];
}

export interface RouteBook {
  /** `number` with or without the plus. Null: nobody carries it. */
  route(channel: string, number: string, country: string): Route | null;
}

interface RouteRow {
  channel: string;
  prefix: string;
  country: string;
  connection_id: string;
  live: boolean;
}

const FRESH_MS = 1_000;

/** Longest prefix a route can have. */
const MAX_PREFIX = 12;

interface Shelf {
  book: RouteBook | null;
  read_at: number;
  reading: Promise<RouteBook> | null;
}

const shelves = new WeakMap<Db, Shelf>();

function shelfOf(db: Db): Shelf {
  let shelf = shelves.get(db);
  if (!shelf) {
    shelf = { book: null, read_at: 0, reading: null };
    shelves.set(db, shelf);
  }
  return shelf;
}

/**
 * The book as it is now; a slightly old one is given while a new one is read. Only the first call of a process, and the first after `forgetRoutes`, reads
 * before it answers, and then on `own`, the caller's transaction: who waits for a second connection while holding one can wait for ever.
 */
export async function routeBook(kernel: { db: Db }, own: Queryable = kernel.db): Promise<RouteBook> {
  const shelf = shelfOf(kernel.db);
  const keep = (rows: RouteRow[]): RouteBook => {
    shelf.book = bookOf(rows);
    shelf.read_at = performance.now();
    return shelf.book;
  };
  if (!shelf.book) return keep(await readRoutes(own));
  if (performance.now() - shelf.read_at >= FRESH_MS) {
    shelf.reading ??= readRoutes(kernel.db)
      .then(keep)
      .finally(() => {
        shelf.reading = null;
      });
    shelf.reading.catch(() => {});
  }
  return shelf.book;
}

/** Routes or connections were changed in this process: the next caller reads them anew. Others notice within a second. */
export function forgetRoutes(db: Db): void {
  shelves.delete(db);
}

export function bookOf(rows: readonly RouteRow[]): RouteBook {
  const lists = new Map<string, Route>();
  const grouped = new Map<string, RouteRow[]>();
  for (const row of rows) {
    const key = keyOf(row.channel, row.prefix, row.country);
    const group = grouped.get(key);
    if (group) group.push(row);
    else grouped.set(key, [row]);
  }
  // Rows come by priority; those with a line up go first, in the same order.
  for (const [key, group] of grouped) {
    const order = [...group.filter((row) => row.live), ...group.filter((row) => !row.live)];
    const [connection_id, ...alternatives] = [...new Set(order.map((row) => row.connection_id))];
    lists.set(key, { connection_id: connection_id!, alternatives });
  }
  const longest = Math.min(MAX_PREFIX, Math.max(0, ...rows.map((row) => row.prefix.length)));
  return {
    route(channel, number, country) {
      const digits = number.startsWith('+') ? number.slice(1) : number;
      for (let length = Math.min(longest, digits.length); length >= 0; length--) {
        const prefix = digits.slice(0, length);
        const found = lists.get(keyOf(channel, prefix, country)) ?? lists.get(keyOf(channel, prefix, ''));
        if (found) return found;
      }
      return null;
    },
  };
}

const keyOf = (channel: string, prefix: string, country: string) => `${channel} ${prefix} ${country}`;

const readRoutes = (db: Queryable) =>
  db.rows<RouteRow>(sql`
    select r.channel, coalesce(r.prefix, '') as prefix, coalesce(r.country, '') as country, r.connection_id,
           exists (select 1 from binds b
                   where b.connection_id = r.connection_id and b.state in ('bound', 'throttled') and b.lease_until > now()) as live
    from routes r join connections c on c.id = r.connection_id
    where r.enabled and c.enabled and c.channel = r.channel
    order by r.priority, r.id`);
