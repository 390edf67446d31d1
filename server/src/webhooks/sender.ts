/**
 * Sends claimed deliveries as their webhooks have room (pace.ts), and stores the results. Those that cannot start soon
 * are released.
 */
import { createOutbound, type Outbound } from '../kernel/http/outbound.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { attempt, type Destination, openDestination } from './attempt.ts';
import { type Claim, type Claimed, release, type Target } from './claim.ts';
import type { Kind, Pace } from './pace.ts';
import { createResultBatcher, type Result, type Stored } from './results.ts';

/** A paused webhook gets no more deliveries after this time. */
const HOLD_MS = 5_000;

/** A claimed delivery waiting for its request. */
interface Held {
  target: Target;
  open: () => Destination;
  delivery: Claimed;
  /** The kind of its webhook when it was claimed. */
  kind: Kind;
  until: number;
}

/** Tells which loops have something to claim. */
type Wake = (lane: 'fresh' | 'slow') => void;

export class Sender {
  private readonly kernel: Kernel;
  private readonly pace: Pace;
  private readonly wake: Wake;
  private readonly outbound: Outbound;
  private readonly store: (result: Result) => Promise<Stored>;
  /** Each list belongs to one webhook. The one that started a request last is last. */
  private readonly waiting = new Map<string, Held[]>();
  private readonly running = new Set<Promise<void>>();

  constructor(kernel: Kernel, pace: Pace, wake: Wake) {
    this.kernel = kernel;
    this.pace = pace;
    this.wake = wake;
    this.outbound = createOutbound(kernel.config);
    this.store = createResultBatcher(kernel);
  }

  send({ targets, deliveries }: Claim): void {
    const until = performance.now() + HOLD_MS;
    const byId = new Map(targets.map((target) => [target.id, { target, open: openOnce(this.kernel, target) }]));
    for (const delivery of deliveries) {
      const { target, open } = byId.get(delivery.webhook_id)!;
      const kind = this.pace.kind(target);
      this.pace.addClaimed(target, kind, 1);
      const list = this.waiting.get(target.id) ?? [];
      list.push({ target, open, delivery, kind, until });
      this.waiting.set(target.id, list);
    }
    this.startAll();
  }

  /** Releases the waiting deliveries, and waits for the requests in progress. */
  async stop(): Promise<void> {
    this.release([...this.waiting.keys()].flatMap((id) => this.take(id)));
    while (this.running.size > 0) await Promise.all(this.running);
  }

  /** Starts requests of one webhook after another, until no webhook may have more. */
  private startAll(): void {
    for (let started = true; started; ) {
      started = false;
      for (const id of [...this.waiting.keys()]) {
        const list = this.waiting.get(id);
        if (!this.startNext(id)) continue;
        started = true;
        if (list && this.waiting.delete(id)) this.waiting.set(id, list);
      }
    }
  }

  /** Returns true if a request of the webhook was started. */
  private startNext(id: string): boolean {
    const list = this.waiting.get(id) ?? [];
    const now = performance.now();
    const late = list.findIndex(({ until }) => until >= now);
    this.release(list.splice(0, late === -1 ? list.length : late));
    const next = list[0] && this.pace.canStart(list[0].target) ? list.shift() : undefined;
    if (list.length === 0) this.waiting.delete(id);
    if (next) this.track(this.run(next));
    return next !== undefined;
  }

  private take(id: string): Held[] {
    const held = this.waiting.get(id) ?? [];
    this.waiting.delete(id);
    return held;
  }

  private async run({ target, open, delivery, kind }: Held): Promise<void> {
    const { pace } = this;
    pace.addRunning(target, kind, 1);
    const result = await attempt(this.outbound, open, target, delivery);
    pace.record(target, result.ok, result.attempt.ms);
    const wasShareFull = pace.isShareFull(target);
    pace.addRunning(target, kind, -1);
    // A webhook that fails gets its next request when this failure is stored and its circuit is known.
    if (result.ok) pace.addClaimed(target, kind, -1);
    else this.release(this.take(target.id));
    if (wasShareFull) this.startAll();
    else this.startNext(target.id);
    const stored = await this.store(result).catch((error) => {
      this.kernel.log.error({ err: error }, 'webhook result');
      return null;
    });
    if (!result.ok) pace.addClaimed(target, kind, -1);
    // Without the database, the loops wait for their next poll.
    if (stored === null) return;
    if (!result.ok) pace.forgetFailure(target.id);
    if (!result.ok || kind === 'failing' || kind === 'slow') this.wake('slow');
    if (stored.has_followers || pace.needsMore(target)) this.wake('fresh');
  }

  private release(held: readonly Held[]): void {
    if (held.length === 0) return;
    for (const { target, kind } of held) this.pace.addClaimed(target, kind, -1);
    const deliveries = held.map(({ delivery }) => delivery);
    this.track(
      release(this.kernel.db, deliveries).catch((error) => this.kernel.log.error({ err: error }, 'webhook release')),
    );
  }

  private track(work: Promise<unknown>): void {
    const tracked = work.then(() => {});
    this.running.add(tracked);
    void tracked.finally(() => this.running.delete(tracked));
  }
}

/** Opens the secrets of a webhook once for all deliveries of a claim, when its first request starts. */
function openOnce({ seals }: Kernel, target: Target): () => Destination {
  let opened: Destination | null = null;
  return () => {
    opened ??= openDestination(seals, target);
    return opened;
  };
}
