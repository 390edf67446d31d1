/**
 * Queued messages whose connection has had no line for a while go by another route that has one; so do those accepted when nobody carried their
 * number. Only what is queued moves: nobody else may send what a carrier may already have.
 */
import { ALL_CHANNELS } from '@parley/contract/channels/index.ts';
import { type Db, empty, sql, type Tx } from '../kernel/db/db.ts';
import { type RouteBook, routeBook } from './routing.ts';
import { wakeDispatch } from './wake.ts';

/** A reconnect is quicker than this. */
const PATIENCE_MS = 10_000;
const AGAIN_MS = 5_000;
const BATCH = 1_000;
/** Of the others each sender is known to one carrier only. */
const ROUTED = ALL_CHANNELS.filter(({ carried_by }) => carried_by === 'routes').map(({ name }) => name);

export class Detours {
  private readonly db: Db;
  private readonly patience_ms: number;
  /** Connections without a line, since when; moved to the future when its queue has been looked through. */
  private readonly down = new Map<string, number>();

  constructor(db: Db, patience_ms = PATIENCE_MS) {
    this.db = db;
    this.patience_ms = patience_ms;
  }

  async look(): Promise<void> {
    const connections = await this.db.rows<{ id: string; up: boolean }>(sql`
      select c.id, c.enabled and exists (
        select from binds b where b.connection_id = c.id and b.state in ('bound', 'throttled') and b.lease_until > now()) as up
      from connections c`);
    const now = performance.now();
    for (const { id, up } of connections) {
      if (up) this.down.delete(id);
      else if (!this.down.has(id)) this.down.set(id, now);
    }
    const live = new Set(connections.filter(({ up }) => up).map(({ id }) => id));
    if (live.size === 0) return;
    await this.move(null, live);
    for (const [id, since] of this.down) {
      if (now - since < this.patience_ms) continue;
      await this.move(id, live);
      this.down.set(id, now - this.patience_ms + AGAIN_MS);
    }
  }

  private async move(from: string | null, live: ReadonlySet<string>): Promise<void> {
    const book = await routeBook({ db: this.db });
    for (let after: Stranded | null = null; ; ) {
      const rows: Stranded[] = await this.db.tx(async (tx) => {
        const found = await stranded(tx, from, after);
        await reroute(tx, detoursOf(found, book, from, live));
        return found;
      }, 'by index');
      if (rows.length < BATCH) return;
      after = rows.at(-1)!;
    }
  }
}

interface Stranded {
  account_id: string;
  message_id: string;
  priority: number;
  not_before: string;
  channel: string;
  number: string;
  country: string;
}

type Detour = Stranded & { to: string };

function detoursOf(
  rows: readonly Stranded[],
  book: RouteBook,
  from: string | null,
  live: ReadonlySet<string>,
): Detour[] {
  return rows.flatMap((row) => {
    const route = book.route(row.channel, row.number, row.country);
    const to = route && [route.connection_id, ...route.alternatives].find((id) => live.has(id) && id !== from);
    return to ? [{ ...row, to }] : [];
  });
}

// In the order of the index and by its key, so that what cannot move is looked at once. Parts that one carrier has taken bind the rest of
// the message to it.
const stranded = (tx: Tx, from: string | null, after: Stranded | null): Promise<Stranded[]> =>
  tx.rows<Stranded>(sql`
    select d.account_id, d.message_id, d.priority, d.not_before::text as not_before, d.channel, d.number, m.country
    from dispatch d join messages m on m.account_id = d.account_id and m.id = d.message_id
    where ${from === null ? sql`d.connection_id is null` : sql`d.connection_id = ${from}`} and d.stage = 'queued' and d.sent_parts = '{}'
      and d.channel = any(${ROUTED}::text[])
      ${
        after === null
          ? empty
          : sql`and (d.priority, d.account_id, d.not_before, d.message_id)
                    > (${after.priority}, ${after.account_id}, ${after.not_before}::timestamptz, ${after.message_id})`
      }
    order by d.priority, d.account_id, d.not_before, d.message_id
    limit ${BATCH} for update of d skip locked`);

async function reroute(tx: Tx, detours: readonly Detour[]): Promise<void> {
  if (detours.length === 0) return;
  await tx.run(sql`
    update dispatch d set connection_id = t.connection_id
    from unnest(${detours.map((row) => row.account_id)}::uuid[], ${detours.map((row) => row.message_id)}::uuid[],
                ${detours.map((row) => row.to)}::uuid[]) as t(account_id, message_id, connection_id)
    where d.account_id = t.account_id and d.message_id = t.message_id and d.stage = 'queued'`);
  wakeDispatch(tx);
}
