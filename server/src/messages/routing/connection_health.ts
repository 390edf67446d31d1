/**
 * The health of connections. Every process counts what happens on each connection and stores the counts by minute in
 * its own rows, so that no process waits for a counter. Workers judge the last minutes. A connection that loses
 * messages, delivers few of them, or responds slowly becomes poor, and routes avoid it. It becomes good again only once
 * it is clearly better, or once there was no traffic to judge.
 */
import type { Outcome } from '../../channels/channel.ts';
import { newId } from '../../kernel/clock.ts';
import { type Db, type Sql, sql } from '../../kernel/db/db.ts';

export interface ConnectionCounts {
  /** Messages that the carrier accepted or refused, and the sum of the times until its response. */
  answered: number;
  latency_ms: number;
  /** Messages that did not reach the carrier, or whose response was lost. */
  lost: number;
  delivered: number;
  undelivered: number;
}

export interface ConnectionHealth {
  state: 'good' | 'poor';
  /** When the state began, in milliseconds. */
  since: number;
  /** Why the connection is poor. */
  reason: string;
}

const NOTHING: ConnectionCounts = { answered: 0, latency_ms: 0, lost: 0, delivered: 0, undelivered: 0 };
const FLUSH_MS = 2_000;
const WINDOW = '5 minutes';
const KEEP = '1 hour';
const JUDGE_EVERY_MS = 5_000;
/** Fewer messages prove nothing. */
const MIN_SAMPLE = 20;
/** The limits differ, so that a connection near one of them does not change its state all the time. */
const POOR = { delivered: 0.5, lost: 0.3, latency_ms: 15_000 } as const;
const GOOD = { delivered: 0.8, lost: 0.1, latency_ms: 5_000 } as const;
/** A state lasts at least this long. */
const MIN_STATE_MS = 60_000;

/**
 * True for a connection `c` over HTTP that can be used again after an error, as long as no message has succeeded, but
 * for a minute at most. HTTP has no session that proves the carrier is there. Then it gets messages again.
 */
export const isDoubtful: Sql = sql`(c.settings ? 'base_url' and coalesce((
  select bool_and(b.detail <> '' and b.bound_date > now() - interval '1 minute') from binds b
  where b.connection_id = c.id and b.state = 'bound' and b.lease_until > now()), false))`;

/** Why routes avoid a connection `c`. Null if they do not. */
export const poorHealth: Sql = sql`case when c.health->>'state' = 'poor' then c.health->>'reason'
  when ${isDoubtful} then 'no message accepted since an error' end`;

interface Meter {
  readonly writer: string;
  readonly counts: Map<string, ConnectionCounts>;
  timer: NodeJS.Timeout | null;
}
const meters = new WeakMap<Db, Meter>();

/** Counts something that happened on a connection. The counts are stored within seconds, and lost in a crash. */
export function countOnConnection(db: Db, connection_id: string, counts: Partial<ConnectionCounts>): void {
  const meter = meters.get(db.root) ?? { writer: newId(), counts: new Map(), timer: null };
  meters.set(db.root, meter);
  const sum = { ...(meter.counts.get(connection_id) ?? NOTHING) };
  for (const [name, value] of Object.entries(counts)) sum[name as keyof ConnectionCounts] += value;
  meter.counts.set(connection_id, sum);
  meter.timer ??= setTimeout(() => {
    meter.timer = null;
    // If the database is down, these counts are lost.
    void flushCounts(db.root).catch(() => undefined);
  }, FLUSH_MS).unref();
}

/** Throttling does not affect a connection's health. */
export function countOutcome(db: Db, connection_id: string, { failure }: Outcome, latency_ms: number): void {
  if (failure?.kind === 'throttled') return;
  const isLost = failure?.kind === 'unknown' || failure?.kind === 'connection';
  countOnConnection(db, connection_id, isLost ? { lost: 1 } : { answered: 1, latency_ms });
}

export async function flushCounts(db: Db): Promise<void> {
  const meter = meters.get(db.root);
  if (!meter || meter.counts.size === 0) return;
  const rows = [...meter.counts];
  meter.counts.clear();
  const column = (name: keyof ConnectionCounts) => rows.map(([, counts]) => Math.round(counts[name]));
  await db.run(sql`
    insert into connection_minutes as m
      (connection_id, minute, writer, answered, latency_ms, lost, delivered, undelivered)
    select t.connection_id, date_trunc('minute', now()), ${meter.writer}, t.answered, t.latency_ms, t.lost, t.delivered,
      t.undelivered
    from unnest(${rows.map(([id]) => id)}::uuid[], ${column('answered')}::int[], ${column('latency_ms')}::bigint[],
                ${column('lost')}::int[], ${column('delivered')}::int[], ${column('undelivered')}::int[])
      as t(connection_id, answered, latency_ms, lost, delivered, undelivered)
    join connections c on c.id = t.connection_id
    on conflict (connection_id, minute, writer) do update set
      answered = m.answered + excluded.answered, latency_ms = m.latency_ms + excluded.latency_ms,
      lost = m.lost + excluded.lost, delivered = m.delivered + excluded.delivered,
      undelivered = m.undelivered + excluded.undelivered`);
}

const percent = (share: number): string => `${Math.round(share * 100)}%`;

/** Returns the health of a connection after these counts. */
export function judge(before: ConnectionHealth | null, counts: ConnectionCounts, now: number): ConnectionHealth {
  const { answered, latency_ms, lost, delivered, undelivered } = counts;
  const limits = before?.state === 'poor' ? GOOD : POOR;
  const reasons: string[] = [];
  const receipts = delivered + undelivered;
  if (receipts >= MIN_SAMPLE && delivered / receipts < limits.delivered)
    reasons.push(`${percent(delivered / receipts)} delivered`);
  if (answered + lost >= MIN_SAMPLE && lost / (answered + lost) > limits.lost)
    reasons.push(`${percent(lost / (answered + lost))} without a response`);
  if (answered >= MIN_SAMPLE && latency_ms / answered > limits.latency_ms)
    reasons.push(`responses take ${Math.round(latency_ms / answered / 1_000)} s`);
  const state = reasons.length > 0 ? 'poor' : 'good';
  const reason = reasons.join(', ');
  if (before?.state === state) return { ...before, reason };
  if (before && now - before.since < MIN_STATE_MS) return before;
  return { state, since: now, reason };
}

export class HealthJudge {
  private readonly db: Db;
  private judged_at = Number.NEGATIVE_INFINITY;
  constructor(db: Db) {
    this.db = db;
  }

  /** Judges at most every few seconds. Workers that judge at the same time reach the same result. */
  async run(): Promise<void> {
    if (performance.now() - this.judged_at < JUDGE_EVERY_MS) return;
    this.judged_at = performance.now();
    await judgeConnections(this.db);
  }
}

export async function judgeConnections(db: Db): Promise<void> {
  await flushCounts(db);
  const rows = await db.rows<ConnectionCounts & { id: string; health: ConnectionHealth | null; now: number }>(sql`
    select c.id, c.health, extract(epoch from now())::float8 * 1000 as now,
      coalesce(sum(m.answered), 0)::int as answered, coalesce(sum(m.latency_ms), 0)::float8 as latency_ms,
      coalesce(sum(m.lost), 0)::int as lost, coalesce(sum(m.delivered), 0)::int as delivered,
      coalesce(sum(m.undelivered), 0)::int as undelivered
    from connections c left join connection_minutes m on m.connection_id = c.id
      and m.minute > now() - ${WINDOW}::interval
    where c.enabled group by c.id`);
  for (const { id, health, now, ...counts } of rows) {
    const after = judge(health, counts, now);
    if (health === null && after.state === 'good') continue;
    if (health?.state === after.state && health.reason === after.reason) continue;
    await db.run(sql`update connections set health = ${JSON.stringify(after)}::jsonb where id = ${id}`);
  }
  await db.run(sql`delete from connection_minutes where minute < now() - ${KEEP}::interval`);
}
