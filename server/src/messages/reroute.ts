/**
 * Queued messages whose connection has had no line for a while go by another route that has one; so do those accepted when nobody carried their
 * number. Only what is queued moves: nobody else may send what a carrier may already have.
 */
import { type Db, sql, type Tx } from '../kernel/db.ts';
import { useIndexes } from './claim.ts';
import { type RouteBook, routeBook } from './routing.ts';
import { wakeDispatch } from './wake.ts';

/** A reconnect is quicker than this. */
const PATIENCE_MS = 10_000;
const BATCH = 1_000;

export class Detours {
  private readonly db: Db;
  private readonly down = new Map<string, number>();

  constructor(db: Db) {
    this.db = db;
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
    const late = [...this.down].filter(([, since]) => now - since >= PATIENCE_MS).map(([id]) => id);
    if (connections.every(({ up }) => !up)) return;
    const book = await routeBook({ db: this.db });
    const live = new Set(connections.filter(({ up }) => up).map(({ id }) => id));
    for (const id of [...late, null]) await this.move(id, book, live);
  }

  /** By key, so that what cannot move is not looked at twice. */
  private async move(from: string | null, book: RouteBook, live: ReadonlySet<string>): Promise<void> {
    for (let after = ''; ; ) {
      const last = await this.db.tx(async (tx) => {
        await useIndexes(tx);
        const rows = await stranded(tx, from, after);
        const moves = rows.flatMap((row) => {
          const route = book.route(row.channel, row.number, row.country);
          const to = route && [route.connection_id, ...route.alternatives].find((id) => live.has(id) && id !== from);
          return to ? [{ ...row, to }] : [];
        });
        if (moves.length > 0) {
          await tx.run(sql`
            update dispatch d set connection_id = t.connection_id
            from unnest(${moves.map((row) => row.account_id)}::uuid[], ${moves.map((row) => row.message_id)}::uuid[],
                        ${moves.map((row) => row.to)}::uuid[]) as t(account_id, message_id, connection_id)
            where d.account_id = t.account_id and d.message_id = t.message_id and d.stage = 'queued'`);
          wakeDispatch(tx);
        }
        return rows.length === BATCH ? rows.at(-1)!.message_id : null;
      });
      if (last === null) return;
      after = last;
    }
  }
}

interface Stranded {
  account_id: string;
  message_id: string;
  channel: string;
  number: string;
  country: string;
}

// Parts that one carrier has taken bind the rest of the message to it.
const stranded = (tx: Tx, from: string | null, after: string): Promise<Stranded[]> =>
  tx.rows<Stranded>(sql`
    select d.account_id, d.message_id, d.channel, d.number, m.country
    from dispatch d join messages m on m.account_id = d.account_id and m.id = d.message_id
    where d.connection_id is not distinct from ${from}::uuid and d.stage = 'queued' and d.sent_parts = '{}'
      and d.message_id > ${after || '00000000-0000-0000-0000-000000000000'}::uuid
    order by d.message_id limit ${BATCH} for update of d skip locked`);
