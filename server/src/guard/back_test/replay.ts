/**
 * Replays the detection of signs of fraud over the hours of one place. It compares full hours, while the detection
 * compares after each code or batch of messages, so the result is an estimate. The functions are pure.
 */
import type { PumpingSignal, TRAFFIC } from '@parley/contract/guard/pumping.ts';
import { findFallen } from '../pumping/settle.ts';
import {
  type Finding,
  findSignals,
  MIN_SENT,
  type PlaceFigures,
  type SignalRules,
  SPREAD,
} from '../pumping/signals.ts';

const HOUR_MS = 3_600_000;
const DAYS_15 = 15 * 24;
const DAYS_14 = 14 * 24;
const DAYS_7 = 7 * 24;
/** The outcomes of an hour are counted this long after its end. */
const SETTLE_MS = 15 * 60_000;
/** The test compares this many places. */
export const MAX_PLACES = 300;

export type Traffic = (typeof TRAFFIC)[number];

/** Codes are entered instead of delivered, and all of them have an outcome. */
export type Hour = readonly [
  hour: number,
  sent: number,
  outcomes: number,
  delivered: number,
  responded: number,
  run: number,
];

export interface PlaceHours {
  readonly traffic: Traffic;
  readonly kind: 'range' | 'country';
  readonly place: string;
  readonly country: string;
  readonly hours: readonly Hour[];
}

export type SignAction = 'off' | 'notify' | 'stop';

interface Settings {
  /** Signs are found from this hour on. */
  readonly first_hour: number;
  readonly totals: readonly (readonly [hour: number, sent: number])[];
  readonly lift_hours: number;
  readonly rules: SignalRules;
  readonly actOn: (signal: PumpingSignal) => SignAction;
}

export interface Sign extends Omit<PlaceHours, 'hours'>, Finding {
  readonly refuses: boolean;
  readonly start_ms: number;
  readonly end_ms: number;
  /** Messages of the first hour sent before the stop; zero if it begins at `start_ms`. */
  readonly passed: number;
}

/** Sums over hours, added in ascending order. */
class Sums {
  readonly #hours: number[] = [];
  readonly #sums: number[][] = [[0, 0, 0, 0]];

  add(hour: number, values: readonly number[]): void {
    const last = this.#sums.at(-1)!;
    this.#hours.push(hour);
    this.#sums.push(last.map((sum, n) => sum + (values[n] ?? 0)));
  }

  /** From `start` to before `end`. */
  between(start: number, end: number): number[] {
    const [from, until] = [this.#sums[this.#rank(start)]!, this.#sums[this.#rank(end)]!];
    return until.map((sum, n) => sum - from[n]!);
  }

  busiest(start: number, end: number, read = ([sent]: readonly number[]) => sent!): number {
    let most = 0;
    for (let n = this.#rank(start); n < this.#rank(end); n++)
      most = Math.max(most, read(this.#sums[n + 1]!) - read(this.#sums[n]!));
    return most;
  }

  /** The number of hours before this one. */
  #rank(hour: number): number {
    let [low, high] = [0, this.#hours.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#hours[middle]! < hour) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

export function replay({ hours, ...place }: PlaceHours, settings: Settings): Sign[] {
  const { first_hour, lift_hours, rules } = settings;
  const totals = new Sums();
  const by_hour = new Map(settings.totals);
  for (const [hour, sent] of settings.totals) totals.add(hour, [sent]);
  const past = new Sums();
  const signs: Sign[] = [];
  const addSign = (finding: Finding, refuses: boolean, start_ms: number, passed = 0) =>
    signs.push({ ...place, ...finding, refuses, start_ms, end_ms: start_ms + lift_hours * HOUR_MS, passed });
  const isStopped = (ms: number) => signs.some(({ end_ms, refuses }) => refuses && end_ms > ms);
  /** A notification about a sign is not repeated until its time is over. */
  const isNoted = (ms: number, { signal }: Finding) =>
    signs.some((sign) => sign.end_ms > ms && sign.signal === signal) || isStopped(ms);
  for (const [hour, sent, outcomes, delivered, responded, run] of hours) {
    const start_ms = hour * HOUR_MS;
    // The messages of a stop would not have been sent.
    if (isStopped(start_ms)) continue;
    let kept = sent;
    if (hour >= first_hour) {
      const now = { hour, sent, delivered, run, all_sent: by_hour.get(hour) ?? sent };
      const figures = compareHour(place.kind, now, { past, totals, rules });
      const found = isWatched(figures, rules) ? findSignals(figures, rules) : [];
      for (const { finding, refuses } of decide(found, settings)) {
        if (isNoted(start_ms, finding)) continue;
        const { passed, shown } = findStart(figures, finding, rules);
        addSign(shown, refuses, start_ms, refuses ? passed : 0);
        if (refuses) kept = passed;
      }
    }
    const part = kept / sent;
    past.add(hour, [kept, outcomes * part, delivered * part, responded * part]);
    const settled_ms = start_ms + HOUR_MS + SETTLE_MS;
    if (rules.surge !== null || hour < first_hour || isStopped(settled_ms)) continue;
    const fallen = compareDay(place.kind, hour, past);
    for (const { finding, refuses } of decide(fallen ? [fallen] : [], settings))
      if (!isNoted(settled_ms, finding)) addSign(finding, refuses, settled_ms);
  }
  return signs;
}

/** As in the detection: one stop for the first sign that stops, and otherwise a notification about each sign. */
function decide(found: readonly Finding[], { actOn }: Settings): { finding: Finding; refuses: boolean }[] {
  const stop = found.find(({ signal }) => actOn(signal) === 'stop');
  if (stop) return [{ finding: stop, refuses: true }];
  return found.filter(({ signal }) => actOn(signal) === 'notify').map((finding) => ({ finding, refuses: false }));
}

interface Now {
  hour: number;
  sent: number;
  delivered: number;
  run: number;
  all_sent: number;
}

/** `delivered` counts codes that were entered. */
function compareHour(
  kind: 'range' | 'country',
  { hour, sent, delivered, run, all_sent }: Now,
  { past, totals, rules }: { past: Sums; totals: Sums; rules: SignalRules },
): PlaceFigures {
  const [before_sent, , before_verified] = past.between(hour - DAYS_15 + 1, hour - 24).map(Math.round);
  const [day_sent, , day_verified] = past.between(hour - 24, hour).map(Math.round);
  const isEntered = rules.surge !== null;
  return {
    ...{ kind, sent, run, all_sent, before_sent: before_sent!, busiest: past.busiest(hour - DAYS_15 + 1, hour) },
    unused: isEntered ? sent - delivered : sent,
    usual_unused: isEntered ? past.busiest(hour - DAYS_7 + 1, hour, ([all, , used]) => Math.round(all! - used!)) : 0,
    // The outcomes of messages are compared when they are settled.
    ...(isEntered
      ? { day_sent: day_sent!, day_verified: day_verified!, before_verified: before_verified! }
      : { day_sent: 0, day_verified: 0, before_verified: 0 }),
    all_before: totals.between(hour - DAYS_15 + 1, hour)[0]!,
  };
}

/** As in the detection, which compares only these places, and all places of codes. */
const isWatched = ({ kind, sent, all_sent, run }: PlaceFigures, { surge }: SignalRules): boolean =>
  surge !== null ||
  (kind === 'country' ? sent >= MIN_SENT.country : run > 0 || (sent >= MIN_SENT.range && sent >= all_sent * SPREAD));

/** The first message with which the sign is found, if the messages of the hour are spread evenly. */
function findStart(figures: PlaceFigures, finding: Finding, rules: SignalRules) {
  const findAfter = (sent: number): Finding | undefined => {
    const part = {
      ...figures,
      ...{ sent, unused: Math.ceil((figures.unused * sent) / figures.sent) },
      all_sent: Math.ceil((figures.all_sent * sent) / figures.sent),
      run: Math.min(figures.run, sent),
    };
    return findSignals(part, rules).find(({ signal }) => signal === finding.signal);
  };
  let [low, high] = [1, figures.sent];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (findAfter(middle)) high = middle;
    else low = middle + 1;
  }
  return { passed: low, shown: findAfter(low) ?? finding };
}

function compareDay(kind: 'range' | 'country', hour: number, past: Sums): Finding | null {
  const [, day, day_delivered, day_responded] = past.between(hour - 23, hour + 1).map(Math.round);
  const [, before, before_delivered, before_responded] = past.between(hour - 23 - DAYS_14, hour - 23).map(Math.round);
  return findFallen(kind, {
    ...{ day: day!, day_delivered: day_delivered!, day_responded: day_responded! },
    ...{ before: before!, before_delivered: before_delivered!, before_responded: before_responded! },
  });
}
