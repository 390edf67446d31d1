/**
 * Claims queued messages for submission. One statement moves rows from `queued` to `submitting`, never more than a bind
 * can accept, and checks again whether each message may be sent. No messages are buffered between claims, so a pause,
 * an opt-out, or a more urgent message takes effect at the next claim. A bind's capacity is shared evenly among the
 * accounts with messages at the most urgent priority, then at the next.
 */
import type { Content } from '@parley/contract/messages/content.ts';
import { type Db, sql, type Tx } from '../../kernel/db/db.ts';

/** The due rows of one account at one priority, counted up to DEPTH. */
export interface DuePair {
  priority: number;
  account_id: string;
  due: number;
}

export interface Share {
  priority: number;
  account_id: string;
  share: number;
}

/** The worker's bind that claims the messages. */
export interface Claimer {
  connection_id: string;
  worker_id: string;
  bind_id: string;
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
  /** The real text, if `text` is masked. */
  sealed_text: string | null;
  content: Content | null;
  /** The number of segments that were priced. */
  segments_count: number;
  valid_seconds: number;
  /** The reason why the message must not be sent after all. */
  verdict: 'expired' | 'blocked' | 'unsubscribed' | null;
}

const DEPTH = 1_000;
const MAX_PAIRS = 5_000;
const MAX_AGE_MS = 250;

/** A recent snapshot of one connection's queue. All of the worker's binds to the connection share it. */
export class Backlog {
  private readonly db: Db;
  private readonly connection_id: string;
  private pairs: DuePair[] = [];
  private stale = true;
  /** True if some pairs were counted only up to DEPTH. */
  private deep = false;
  private read_at = 0;
  private reading: Promise<void> | null = null;
  private round = 0;

  constructor(db: Db, connection_id: string) {
    this.db = db;
    this.connection_id = connection_id;
  }

  /** Call this after queueing a message. */
  wake(): void {
    this.stale = true;
  }

  /** True if reading the queue may find due rows. */
  get mayHaveDue(): boolean {
    return this.stale || this.pairs.length > 0 || performance.now() - this.read_at > MAX_AGE_MS;
  }

  async deal(room: number): Promise<Share[]> {
    if (this.stale || performance.now() - this.read_at > MAX_AGE_MS) {
      this.reading ??= this.read().finally(() => {
        this.reading = null;
      });
      await this.reading;
    }
    const shares = shareRoom(this.pairs, room, this.round++);
    const left = this.pairs.filter((pair) => pair.due > 0);
    // The queue may contain more rows than were counted.
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

/**
 * Divides the free capacity among the pairs and reduces their `due` accordingly. `round` rotates which pairs come first
 * if there is not enough capacity for all.
 */
export function shareRoom(pairs: readonly DuePair[], room: number, round: number): Share[] {
  const shares: Share[] = [];
  const priorities = [...new Set(pairs.map((pair) => pair.priority))].sort((a, b) => a - b);
  let left = room;
  for (const priority of priorities) {
    const waiting = pairs.filter((pair) => pair.priority === priority && pair.due > 0);
    const first = waiting.length > 0 ? round % waiting.length : 0;
    const order = [...waiting.slice(first), ...waiting.slice(0, first)].sort((a, b) => a.due - b.due);
    // Pairs with few due rows come first, so that the capacity they leave is divided among the larger ones.
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

/**
 * Steps from pair to pair through the index (a loose scan), so that the cost depends on the number of accounts rather
 * than rows. A pair with nothing due costs one probe.
 */
const duePairs = (db: Db, connection_id: string): Promise<DuePair[]> =>
  db.tx(async (tx) => {
    return tx.rows<DuePair>(sql`
      with recursive pair as (
        (select priority, account_id, not_before from dispatch
         where connection_id = ${connection_id} and stage = 'queued'
         order by priority, account_id, not_before limit 1)
        union all
        select next.* from pair p cross join lateral (
          select priority, account_id, not_before from dispatch
          where connection_id = ${connection_id} and stage = 'queued'
            and (priority, account_id) > (p.priority, p.account_id)
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
      limit ${MAX_PAIRS}`);
  }, 'by index');

/**
 * The caller must commit before sending. A worker whose lease has expired claims no rows, because other workers may
 * have taken over. All parts of a message carry the same reference, so the message keeps it while a carrier has some of
 * the parts.
 */
export const claim = (tx: Tx, taker: Claimer, shares: readonly Share[]): Promise<Claimed[]> => {
  const { connection_id, worker_id, bind_id } = taker;
  return tx.rows<Claimed>(sql`
    with picked as materialized (
      select due.account_id, due.message_id
      from unnest(${shares.map((share) => share.priority)}::smallint[],
                  ${shares.map((share) => share.account_id)}::uuid[], ${shares.map((share) => share.share)}::int[])
                    as s(priority, account_id, share)
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
      stage = 'submitting', worker_id = ${worker_id}, bind_id = ${bind_id}, submit_date = now(), unknown_date = null,
      attempt = d.attempt + 1, reference = case when d.sent_parts = '{}' then 1 + floor(random() * 65535)::int
        else d.reference end
    from picked p
    join messages m on m.account_id = p.account_id and m.id = p.message_id
    join accounts a on a.id = p.account_id
    where d.account_id = p.account_id and d.message_id = p.message_id
    returning d.account_id, d.message_id, d.attempt, d.reference, d.refusals, d.sent_parts, d.number, d.sender_address,
      m.text, d.sealed_text, m.content, m.segments_count,
      greatest(1, extract(epoch from d.expire_date - now()))::int as valid_seconds,
      case
        when d.expire_date <= now() then 'expired'
        when a.status = 'BLOCKED' then 'blocked'
        when not d.passes_stop_list and exists (
          select from stop_list l
          where l.account_id = d.account_id and l.number = d.number
            and (l.sender_id is null or l.sender_id = m.sender_id)
        ) then 'unsubscribed'
      end as verdict`);
};
