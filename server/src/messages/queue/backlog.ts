/**
 * A recent snapshot of one connection's queue. All of the worker's binds to the connection share it, so classes and
 * accounts take turns across these binds. Each worker divides the capacity of its own binds fairly, so the sum is fair.
 */

import type { TrafficClass } from '@parley/contract/messages/traffic_classes.ts';
import { type Db, type Sql, sql } from '../../kernel/db/db.ts';
import { type DuePair, FairQueue, type Room, type Share, type Usage } from './fair_queue.ts';

/** The maximum number of rows that a snapshot counts in total, and the minimum number that it counts in each pair. */
const COUNT_TOTAL = 4_000;
const COUNT_MIN = 50;
const COUNT_MAX = 1_000;
const MAX_PAIRS = 5_000;
const MAX_AGE_MS = 250;

export class Backlog {
  private readonly db: Db;
  private readonly connection_id: string;
  private readonly queue = new FairQueue();
  private stale = true;
  private urgent = true;
  /** The number of rows counted per pair. Decreases as pairs are added, so that each snapshot costs about the same. */
  private depth = COUNT_MAX;
  /** True if some pairs were counted only up to the limit. */
  private deep = false;
  private read_at = Number.NEGATIVE_INFINITY;
  private reading: Promise<void> | null = null;

  constructor(db: Db, connection_id: string) {
    this.db = db;
    this.connection_id = connection_id;
  }

  /** Call this after queueing a message. */
  wake(isUrgent = false): void {
    this.stale = true;
    this.urgent ||= isUrgent;
  }

  /** True if messages more urgent than a campaign may have been queued since the snapshot. */
  get isUrgent(): boolean {
    return this.urgent;
  }

  /** True if messages may have been queued since the snapshot. */
  get isStale(): boolean {
    return this.stale || performance.now() - this.read_at > MAX_AGE_MS;
  }

  /** The most urgent class with due rows in the snapshot. */
  get next(): TrafficClass | null {
    return this.queue.next;
  }

  /** `room` is called after the queue has been read, because free capacity changes in the meantime. */
  async deal(room: Room): Promise<Share[]> {
    if (this.isStale) {
      this.reading ??= this.read().finally(() => {
        this.reading = null;
      });
      await this.reading;
    }
    const shares = this.queue.deal(room);
    // The queue may contain more rows than were counted.
    if (this.deep && this.queue.hasEmptied) this.stale = true;
    return shares;
  }

  /** Call this for all shares: with the claimed messages, or with none if the claim failed. */
  settle(shares: readonly Share[], claimed: readonly Usage[]): void {
    this.queue.settle(shares, claimed);
  }

  /** Call this for a message that the carrier throttled. */
  refund(message: Usage): void {
    this.queue.refund(message);
  }

  private async read(): Promise<void> {
    this.stale = false;
    this.urgent = false;
    const { depth } = this;
    const pairs = await this.db.tx((tx) => tx.rows<DuePair>(selectPairs(this.connection_id, depth)), 'by index');
    this.queue.fill(pairs);
    this.deep = pairs.some((pair) => pair.due === depth);
    this.depth = Math.max(COUNT_MIN, Math.min(COUNT_MAX, Math.floor(COUNT_TOTAL / Math.max(1, pairs.length))));
    this.read_at = performance.now();
  }
}

/**
 * Steps from pair to pair through the index (a loose scan), so that the cost depends on the number of accounts, not of
 * rows. A pair without due rows costs one probe.
 */
export const selectPairs = (connection_id: string, depth: number): Sql => sql`
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
      limit ${depth}
    ) counted
  ) due
  where p.not_before <= now()
  limit ${MAX_PAIRS}`;
