/**
 * Replays the detection of signs of fraud over the hours of one place. It compares full hours, while the detection
 * compares after each batch of messages, so the result is an estimate. The functions are pure.
 */
import type { MessageTraffic } from '@parley/contract/guard/traffic_stops.ts';
import { findFallen } from '../pumping/settle.ts';
import { type Finding, findSignals, MESSAGE_RULES, MIN_SENT, type PlaceFigures, SPREAD } from '../pumping/signals.ts';

const HOUR_MS = 3_600_000;
const DAYS_15 = 15 * 24;
const DAYS_14 = 14 * 24;
/** The outcomes of an hour are counted this long after its end. */
const SETTLE_MS = 15 * 60_000;
/** The test compares this many places. */
export const MAX_PLACES = 300;

export type Hour = readonly [
  hour: number,
  sent: number,
  outcomes: number,
  delivered: number,
  responded: number,
  run: number,
];

export interface PlaceHours {
  readonly traffic: MessageTraffic;
  readonly kind: 'range' | 'country';
  readonly place: string;
  readonly country: string;
  readonly hours: readonly Hour[];
}

interface Settings {
  /** Signs are found from this hour on. */
  readonly first_hour: number;
  readonly totals: readonly (readonly [hour: number, sent: number])[];
  readonly lift_hours: number;
  readonly refuses: boolean;
}

export interface Sign extends Omit<PlaceHours, 'hours'>, Finding {
  readonly refuses: boolean;
  readonly start_ms: number;
  readonly end_ms: number;
  /** The messages of its first hour that were sent before the stop; zero: the stop begins at `start_ms`. */
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

  busiest(start: number, end: number): number {
    let most = 0;
    for (let n = this.#rank(start); n < this.#rank(end); n++)
      most = Math.max(most, this.#sums[n + 1]![0]! - this.#sums[n]![0]!);
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
  const { first_hour, lift_hours, refuses } = settings;
  const totals = new Sums();
  const by_hour = new Map(settings.totals);
  for (const [hour, sent] of settings.totals) totals.add(hour, [sent]);
  const past = new Sums();
  const signs: Sign[] = [];
  const addSign = (finding: Finding, start_ms: number, passed = 0) =>
    signs.push({ ...place, ...finding, refuses, start_ms, end_ms: start_ms + lift_hours * HOUR_MS, passed });
  /** A stop refuses all messages, and a notification about a sign is not repeated until its time is over. */
  const isOpen = (ms: number, finding?: Finding) =>
    signs.some(({ end_ms, signal }) => end_ms > ms && (refuses || signal === finding?.signal));
  for (const [hour, sent, outcomes, delivered, responded, run] of hours) {
    const start_ms = hour * HOUR_MS;
    // The messages of a stop would not have been sent.
    if (refuses && isOpen(start_ms)) continue;
    let kept = sent;
    if (hour >= first_hour) {
      const figures = compareHour(place.kind, { hour, sent, run, all_sent: by_hour.get(hour) ?? sent }, past, totals);
      const found = isWatched(place.kind, figures) ? findSignals(figures, MESSAGE_RULES[place.traffic]) : [];
      for (const finding of refuses ? found.slice(0, 1) : found) {
        if (isOpen(start_ms, finding)) continue;
        const { passed, shown } = findStart(figures, finding, place.traffic);
        addSign(shown, start_ms, refuses ? passed : 0);
        if (refuses) kept = passed;
      }
    }
    const part = kept / sent;
    past.add(hour, [kept, outcomes * part, delivered * part, responded * part]);
    const settled_ms = start_ms + HOUR_MS + SETTLE_MS;
    if (hour < first_hour || (isOpen(settled_ms) && refuses)) continue;
    const fallen = compareDay(place.kind, hour, past);
    if (fallen && !isOpen(settled_ms, fallen)) addSign(fallen, settled_ms);
  }
  return signs;
}

function compareHour(
  kind: 'range' | 'country',
  { hour, sent, run, all_sent }: { hour: number; sent: number; run: number; all_sent: number },
  past: Sums,
  totals: Sums,
): PlaceFigures {
  return {
    ...{ kind, sent, unused: sent, usual_unused: 0, busiest: past.busiest(hour - DAYS_15 + 1, hour), all_sent, run },
    ...{
      day_sent: 0,
      day_verified: 0,
      before_sent: past.between(hour - DAYS_15 + 1, hour - 24)[0]!,
      before_verified: 0,
    },
    all_before: totals.between(hour - DAYS_15 + 1, hour)[0]!,
  };
}

/** As in the detection, which compares only such places. */
const isWatched = (kind: 'range' | 'country', { sent, all_sent, run }: PlaceFigures): boolean =>
  kind === 'country' ? sent >= MIN_SENT.country : run > 0 || (sent >= MIN_SENT.range && sent >= all_sent * SPREAD);

/** The first message with which the sign is found, if the messages of the hour are spread evenly. */
function findStart(figures: PlaceFigures, finding: Finding, traffic: MessageTraffic) {
  const findAfter = (sent: number): Finding | undefined => {
    const part = {
      ...figures,
      ...{ sent, unused: sent, all_sent: Math.ceil((figures.all_sent * sent) / figures.sent) },
      run: Math.min(figures.run, sent),
    };
    return findSignals(part, MESSAGE_RULES[traffic]).find(({ signal }) => signal === finding.signal);
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
