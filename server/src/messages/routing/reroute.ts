/**
 * Moves queued messages that have no connection, or whose connection has been down for a while, to another route that
 * is up. Only queued messages move, because a carrier may already have the rest.
 */
import { ALL_CHANNELS } from '@parley/contract/channels/index.ts';
import { segmentOptions } from '@parley/contract/channels/sms/profile.ts';
import { segmentCount } from '@parley/contract/channels/sms/text.ts';
import { type Db, empty, sql, type Tx } from '../../kernel/db/db.ts';
import { isDailyLimitReached } from '../model/daily_limit.ts';
import { wakeDispatch } from '../model/dispatch_wake.ts';
import { timelineTime } from '../model/status_fold.ts';
import { isDoubtful } from './connection_health.ts';
import { getRouteBook, type RouteBook } from './route_book.ts';

/** A reconnect takes less time than this. */
const GRACE_MS = 10_000;
const RECHECK_MS = 5_000;
const BATCH = 1_000;
/** On all other channels, a sender is registered with one carrier only. */
const ROUTED = ALL_CHANNELS.filter(({ carried_by }) => carried_by === 'routes').map(({ name }) => name);

export class Rerouter {
  private readonly db: Db;
  private readonly patience_ms: number;
  /** The time when each connection went down. A time in the future marks a queue that was just checked. */
  private readonly down = new Map<string, number>();

  constructor(db: Db, patience_ms = GRACE_MS) {
    this.db = db;
    this.patience_ms = patience_ms;
  }

  async run(): Promise<void> {
    const connections = await this.db.rows<{ id: string; up: boolean }>(sql`
      select c.id, c.enabled and not ${isDailyLimitReached} and not ${isDoubtful} and exists (
        select from binds b where b.connection_id = c.id and b.state in ('bound', 'throttled')
          and b.lease_until > now()) as up
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
      this.down.set(id, now - this.patience_ms + RECHECK_MS);
    }
  }

  private async move(from: string | null, live: ReadonlySet<string>): Promise<void> {
    const book = await getRouteBook({ db: this.db });
    for (let after: Stranded | null = null; ; ) {
      const rows: Stranded[] = await this.db.tx(async (tx) => {
        const page = await selectStranded(tx, from, after);
        await moveRows(tx, findReroutes(page, book, from, live), book, from);
        return page;
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
  mccmnc: string | null;
  text: string;
  segments_count: number;
}

type Reroute = Stranded & { to: string };

function findReroutes(
  rows: readonly Stranded[],
  book: RouteBook,
  from: string | null,
  live: ReadonlySet<string>,
): Reroute[] {
  return rows.flatMap((row) => {
    const route = book.route(row.channel, row.number, row.country, row.mccmnc);
    const candidates = route
      ? [route.connection_id, ...route.alternatives].filter((id) => live.has(id) && id !== from)
      : [];
    // The price is fixed, so a connection that needs more segments is the last choice.
    const to = candidates.find((id) => countOn(book, id, row) <= row.segments_count) ?? candidates[0];
    return to ? [{ ...row, to }] : [];
  });
}

const countOn = (book: RouteBook, connection_id: string, { text }: Stranded): number =>
  segmentCount(text, segmentOptions(book.profile(connection_id)));

/**
 * Pages by the index key, so that rows that cannot move are read only once. If a carrier has accepted a part of a
 * message, or may have the message, it stays with that carrier.
 */
const selectStranded = (tx: Tx, from: string | null, after: Stranded | null): Promise<Stranded[]> =>
  tx.rows<Stranded>(sql`
    select d.account_id, d.message_id, d.priority, d.not_before::text as not_before, d.channel, d.number, m.country,
      m.mccmnc, m.text, m.segments_count
    from dispatch d join messages m on m.account_id = d.account_id and m.id = d.message_id
    where ${from === null ? sql`d.connection_id is null` : sql`d.connection_id = ${from}`} and d.stage = 'queued'
      and d.sent_parts = '{}' and d.unknown_date is null
      and d.channel = any(${ROUTED}::text[])
      ${
        after === null
          ? empty
          : sql`and (d.priority, d.account_id, d.not_before, d.message_id)
                    > (${after.priority}, ${after.account_id}, ${after.not_before}::timestamptz, ${after.message_id})`
      }
    order by d.priority, d.account_id, d.not_before, d.message_id
    limit ${BATCH} for update of d, m skip locked`);

/** The timeline shows the switch, because the message takes a route other than the one chosen first. */
function toNote(to: string, book: RouteBook, from: string | null): string {
  if (from === null) return `Routed over ${book.name(to)}`;
  const name = book.name(from);
  return `Moved to ${book.name(to)}, because ${name} cannot send at the moment. ${name} did not get the message.`;
}

async function moveRows(tx: Tx, detours: readonly Reroute[], book: RouteBook, from: string | null): Promise<void> {
  if (detours.length === 0) return;
  const at = timelineTime(tx.now);
  const entries = detours.map(({ to }) => {
    const moved = from === null ? {} : { moved: { from: book.name(from), to: book.name(to) } };
    return [{ at, status: 'enroute', source: 'worker', text: toNote(to, book, from), ...moved }];
  });
  await tx.run(sql`
    update messages m set connection_id = t.connection_id, timeline = m.timeline || t.entry::jsonb
    from unnest(${detours.map((row) => row.account_id)}::uuid[], ${detours.map((row) => row.message_id)}::uuid[],
                ${detours.map((row) => row.to)}::uuid[], ${entries.map((entry) => JSON.stringify(entry))}::text[])
                  as t(account_id, message_id, connection_id, entry)
    where m.account_id = t.account_id and m.id = t.message_id`);
  await tx.run(sql`
    update dispatch d set connection_id = t.connection_id
    from unnest(${detours.map((row) => row.account_id)}::uuid[], ${detours.map((row) => row.message_id)}::uuid[],
                ${detours.map((row) => row.to)}::uuid[]) as t(account_id, message_id, connection_id)
    where d.account_id = t.account_id and d.message_id = t.message_id and d.stage = 'queued'`);
  wakeDispatch(tx);
}
