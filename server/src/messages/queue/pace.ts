/**
 * The pace of one connection in this worker, in segments per second. Until the carrier throttles, it equals the
 * configured rates of the worker's binds, or is unlimited. A throttled response lowers it by a factor, and every second
 * of use without throttling raises it by a step (additive increase, multiplicative decrease).
 *
 * Each worker learns its own part of the carrier's limit. Workers that adapt in this way reach equal parts without
 * communicating, and adjust within seconds when a worker starts or stops. A shared row would have to be updated for
 * every submission.
 *
 * A part of the capacity is reserved for more urgent classes, so that a code never waits for a full bucket.
 */
import type { TrafficClass } from '@parley/contract/messages/traffic_classes.ts';

/** The size of a burst: this share of a second, but at least a few messages. */
const BURST = { seconds: 0.15, min: 3 };
/** The share of the bucket that each class reserves for more urgent classes. */
const RESERVE: Readonly<Record<TrafficClass, number>> = { code: 0, conversation: 0.1, single: 0.2, campaign: 0.4 };

const MIN_RATE = 1;
/** The assumed rate if the first throttled response arrives before there was much traffic. */
const FIRST_RATE = 10;
const DECREASE = 0.8;
/**
 * This multiple of the square root of the peak is added per second. The peak is the rate at which the carrier
 * throttled. A step proportional to the peak would keep a slow worker slow next to a fast one, and a fixed step does
 * not suit both 5 and 2,000 messages per second.
 */
const STEP = 0.2;
/** The pace grows by this factor instead while it is far below the peak, for example after an outage. */
const RECOVERY = { below: 0.5, factor: 1.25 };
/** The step doubles repeatedly far above the peak, because the carrier then allows much more than before. */
const DISCOVERY = { above: 1.25, steps: 5 };
/** The weight of a lower peak, for example in an outage, which replaces the previous peak gradually. */
const PEAK_DECAY = 0.9;
/** The pace grows if at least this share of it was used. */
const BUSY = 0.8;
const TICK_MS = 1_000;
/** The number of intervals in which the last second is counted. */
const COUNTED_PARTS = 10;

interface PacedBind {
  /** The configured rate of the bind; null means no limit. */
  readonly throughput: number | null;
}

export class Pace {
  private readonly binds = new Set<PacedBind>();
  private readonly now: () => number;
  private ceiling: number | null = null;
  /** Null until the carrier throttles. */
  private learned: number | null = null;
  private peak = 0;
  private step = 0;
  private steps = 0;
  private tokens = BURST.min;
  private refilled_at: number;
  private decreased_at = Number.NEGATIVE_INFINITY;
  private checked_at: number;
  /** The segments taken since the last check. */
  private used = 0;
  private readonly accepted = new Array<number>(COUNTED_PARTS).fill(0);
  private accepted_slot = 0;

  constructor(now: () => number = () => performance.now()) {
    this.now = now;
    this.refilled_at = now();
    this.checked_at = now();
  }

  join(bind: PacedBind): void {
    this.binds.add(bind);
    this.updateCeiling();
  }

  leave(bind: PacedBind): void {
    this.binds.delete(bind);
    this.updateCeiling();
  }

  /** The learned rate of one bind; null if the carrier has not throttled. */
  get learnedPerBind(): number | null {
    return this.learned === null ? null : Math.max(1, Math.round(this.learned / Math.max(1, this.binds.size)));
  }

  /** The number of messages of this class that may be claimed now. */
  available(traffic_class: TrafficClass): number {
    const rate = this.rate();
    if (rate === null) return Number.POSITIVE_INFINITY;
    const burst = this.refill(rate);
    return Math.max(0, Math.floor(this.tokens - burst * RESERVE[traffic_class]));
  }

  /** Uses capacity. A negative number returns it. */
  take(segments: number): void {
    if (this.learned === null && this.ceiling === null) return;
    this.tokens -= segments;
    this.used += segments;
  }

  /** Counts segments that the carrier has accepted. */
  countAccepted(segments: number): void {
    const slot = this.turnCounter();
    this.accepted[slot % COUNTED_PARTS]! += segments;
  }

  /** Lowers the pace. Has an effect only for the first of the messages that were submitted at the same pace. */
  slowDown(submitted_at: number): void {
    if (submitted_at <= this.decreased_at) return;
    this.turnCounter();
    const recent = this.accepted.reduce((sum, segments) => sum + segments, 0);
    const rate = this.rate();
    const observed = Math.max(recent, rate === null ? FIRST_RATE : rate / 2);
    const current = Math.min(rate ?? Number.POSITIVE_INFINITY, observed);
    this.peak = Math.max(current, this.peak * PEAK_DECAY);
    this.learned = Math.max(MIN_RATE, current * DECREASE);
    this.step = STEP * Math.sqrt(this.peak);
    this.steps = 0;
    this.tokens = 0;
    this.refilled_at = this.now();
    this.decreased_at = this.now();
    this.checked_at = this.now();
    this.used = 0;
  }

  private rate(): number | null {
    this.speedUp();
    if (this.learned === null || this.ceiling === null) return this.learned ?? this.ceiling;
    return Math.min(this.learned, this.ceiling);
  }

  /** Raises a learned pace only while it limits the traffic, because an unused pace proves nothing. */
  private speedUp(): void {
    const now = this.now();
    if (this.learned === null || now - this.checked_at < TICK_MS) return;
    const possible = (this.learned * (now - this.checked_at)) / 1_000;
    const wasBusy = this.used >= possible * BUSY - 1;
    this.checked_at = now;
    this.used = 0;
    if (!wasBusy) return;
    if (this.learned < this.peak * RECOVERY.below) this.learned *= RECOVERY.factor;
    else this.learned += this.step;
    if (this.learned > this.peak * DISCOVERY.above && ++this.steps % DISCOVERY.steps === 0) this.step *= 2;
    if (this.ceiling !== null && this.learned >= this.ceiling) this.learned = null;
  }

  private refill(rate: number): number {
    const now = this.now();
    const burst = Math.max(BURST.min, rate * BURST.seconds);
    this.tokens = Math.min(burst, this.tokens + ((now - this.refilled_at) / 1_000) * rate);
    this.refilled_at = now;
    return burst;
  }

  private updateCeiling(): void {
    let sum: number | null = this.binds.size > 0 ? 0 : null;
    for (const { throughput } of this.binds) sum = sum === null || throughput === null ? null : sum + throughput;
    this.ceiling = sum;
  }

  /** Clears the parts of the counter that are older than a second. */
  private turnCounter(): number {
    const slot = Math.floor((this.now() / 1_000) * COUNTED_PARTS);
    const passed = Math.min(COUNTED_PARTS, slot - this.accepted_slot);
    for (let part = 0; part < passed; part++) this.accepted[(slot - part) % COUNTED_PARTS] = 0;
    this.accepted_slot = Math.max(slot, this.accepted_slot);
    return slot;
  }
}
