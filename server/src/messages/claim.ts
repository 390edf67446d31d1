/**
 * From the queue to the brink of sending: one statement takes rows from `queued` to `submitting`, never more than a line has room for, and looks
 * once more whether each may still be sent. Nothing is held in between, so a pause, a stop word or a more urgent message counts at the next claim.
 * Fairness: room is dealt out evenly among the accounts of the most urgent priority, then of the next.
 */
import type { Content } from '@parley/contract/messages/content.ts';
import { type Db, sql, type Tx } from '../kernel/db/db.ts';

/** Rows of one priority of one account that are due, counted up to DEPTH. */
export interface Pair {
  priority: number;
  account_id: string;
  due: number;
}

export interface Share {
  priority: number;
  account_id: string;
  share: number;
}

/** Who takes: one line of one worker. */
export interface Taker {
  connection_id: string;
  worker_id: string;
  line_id: string;
}

export interface Claimed {
  account_id: string;
  message_id: string;
  attempt: number;
  reference: number;
  refusals: number;
  sent_parts: number[];
  number: string;
  sender_address: string;
  text: string;
  content: Content | null;
  valid_seconds: number;
  /** Why it must not be sent after all. */
  verdict: 'expired' | 'blocked' | 'unsubscribed' | null;
}

const DEPTH = 1_000;
const PAIRS = 5_000;
const FRESH_MS = 250;

/** What waits for one connection, as of some milliseconds ago. All lines of a worker to the connection deal from it. */
export class Backlog {
  private readonly db: Db;
  private readonly connection_id: string;
  private pairs: Pair[] = [];
  private stale = true;
  /** Some were counted up to DEPTH only. */
  private deep = false;
  private read_at = 0;
  private reading: Promise<void> | null = null;
  private turn = 0;

  constructor(db: Db, connection_id: string) {
    this.db = db;
    this.connection_id = connection_id;
  }

  /** Something was queued. */
  wake(): void {
    this.stale = true;
  }

  /** Worth asking: there may be something. */
  get promising(): boolean {
    return this.stale || this.pairs.length > 0 || performance.now() - this.read_at > FRESH_MS;
  }

  async deal(room: number): Promise<Share[]> {
    if (this.stale || performance.now() - this.read_at > FRESH_MS) {
      this.reading ??= this.read().finally(() => {
        this.reading = null;
      });
      await this.reading;
    }
    const shares = dealOut(this.pairs, room, this.turn++);
    const left = this.pairs.filter((pair) => pair.due > 0);
    // There may be more than was counted.
    if (this.deep && left.length < this.pairs.length) this.stale = true;
    this.pairs = left;
    return shares;
  }

  private async read(): Promise<void> {
    this.stale = false;
    this.pairs = await duePairs(this.db, this.connection_id);
    this.deep = this.pairs.some((pair) => pair.due === DEPTH);
    this.read_at = performance.now();
  }
}

/** Takes from `due` what it gives. `turn` moves on who comes first when there is not enough for everybody. */
export function dealOut(pairs: readonly Pair[], room: number, turn: number): Share[] {
  const shares: Share[] = [];
  const priorities = [...new Set(pairs.map((pair) => pair.priority))].sort((a, b) => a - b);
  let left = room;
  for (const priority of priorities) {
    const waiting = pairs.filter((pair) => pair.priority === priority && pair.due > 0);
    const first = waiting.length > 0 ? turn % waiting.length : 0;
    const order = [...waiting.slice(first), ...waiting.slice(0, first)].sort((a, b) => a.due - b.due);
    // Whoever wants least first: what they leave is divided among those who want more.
    const chosen = order.length > left ? [...waiting.slice(first), ...waiting.slice(0, first)].slice(0, left) : order;
    chosen.forEach((pair, index) => {
      const share = Math.min(pair.due, Math.max(1, Math.floor(left / (chosen.length - index))));
      pair.due -= share;
      left -= share;
      shares.push({ priority, account_id: pair.account_id, share });
    });
    if (left === 0) break;
  }
  return shares;
}

// From pair to pair by the index (a loose scan): the cost follows the number of accounts, not of rows. Pairs with nothing due yet cost
// one probe.
const duePairs = (db: Db, connection_id: string): Promise<Pair[]> =>
  db.tx(async (tx) => {
    return tx.rows<Pair>(sql`
      with recursive pair as (
        (select priority, account_id, not_before from dispatch
         where connection_id = ${connection_id} and stage = 'queued'
         order by priority, account_id, not_before limit 1)
        union all
        select next.* from pair p cross join lateral (
          select priority, account_id, not_before from dispatch
          where connection_id = ${connection_id} and stage = 'queued' and (priority, account_id) > (p.priority, p.account_id)
          order by priority, account_id, not_before limit 1
        ) next
      )
      select p.priority, p.account_id, due.count as due
      from pair p cross join lateral (
        select count(*)::int as count from (
          select from dispatch d
          where d.connection_id = ${connection_id} and d.stage = 'queued' and d.priority = p.priority
            and d.account_id = p.account_id and d.not_before <= now()
          limit ${DEPTH}
        ) counted
      ) due
      where p.not_before <= now()
      limit ${PAIRS}`);
  }, 'by index');

/**
 * To be committed before a byte of these leaves. A worker whose lease has run out gets nothing: the others have taken over. Parts of one message
 * must carry one reference, so it stays while some of them are with the carrier.
 */
export const claim = (tx: Tx, taker: Taker, shares: readonly Share[]): Promise<Claimed[]> => {
  const { connection_id, worker_id, line_id } = taker;
  return tx.rows<Claimed>(sql`
    with picked as materialized (
      select due.account_id, due.message_id
      from unnest(${shares.map((share) => share.priority)}::smallint[], ${shares.map((share) => share.account_id)}::uuid[],
                  ${shares.map((share) => share.share)}::int[]) as s(priority, account_id, share)
      cross join lateral (
        select d.account_id, d.message_id from dispatch d
        where d.connection_id = ${connection_id} and d.stage = 'queued' and d.priority = s.priority
          and d.account_id = s.account_id and d.not_before <= now()
        order by d.not_before, d.message_id
        limit s.share for update skip locked
      ) due
      where exists (select from workers where id = ${worker_id} and lease_until > now())
    )
    update dispatch d set
      stage = 'submitting', worker_id = ${worker_id}, line_id = ${line_id}, submit_date = now(), unknown_date = null, attempt = d.attempt + 1,
      reference = case when d.sent_parts = '{}' then 1 + floor(random() * 65535)::int else d.reference end
    from picked p
    join messages m on m.account_id = p.account_id and m.id = p.message_id
    join accounts a on a.id = p.account_id
    where d.account_id = p.account_id and d.message_id = p.message_id
    returning d.account_id, d.message_id, d.attempt, d.reference, d.refusals, d.sent_parts, d.number, d.sender_address, m.text, m.content,
      greatest(1, extract(epoch from d.expire_date - now()))::int as valid_seconds,
      case
        when d.expire_date <= now() then 'expired'
        when a.status = 'BLOCKED' then 'blocked'
        when not d.passes_stop_list and exists (
          select from stop_list l
          where l.account_id = d.account_id and l.number = d.number and (l.sender_id is null or l.sender_id = m.sender_id)
        ) then 'unsubscribed'
      end as verdict`);
};
