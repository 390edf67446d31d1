/** Predicts when the recipients of a campaign get their messages. Carriers are assumed to keep up. */
import type { Arrivals } from '@parley/contract/campaigns/timing.ts';

/** Recipients with the same first window. */
export interface Group {
  at: number;
  until: number | null;
  recipients: number;
}

/** Recipients who get their messages evenly between two times. */
interface Stretch {
  from: number;
  to: number;
  recipients: number;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const BUCKET_MINUTES = [1, 5, 15, 60, 180, 360, 720, 1_440, 10_080];
const MAX_BUCKETS = 36;
/** The maximum number of steps to predict. The prediction of a longer campaign ends there. */
const MAX_STEPS = 5_000;

export function predictArrivals(groups: readonly Group[], pace_micros: number | null): Arrivals {
  const stretches = pace_micros ? atPace(groups, pace_micros / 1_000) : groups.map(atOnce);
  const sent = stretches.filter(({ recipients }) => recipients > 0);
  if (sent.length === 0) return { bucket_minutes: 60, buckets: [], first: null, last: null };
  const first = Math.min(...sent.map(({ from }) => from));
  const last = Math.max(...sent.map(({ to }) => to));
  const bucket_minutes =
    BUCKET_MINUTES.find((minutes) => (last - first) / (minutes * MINUTE_MS) < MAX_BUCKETS) ?? BUCKET_MINUTES.at(-1)!;
  const size = bucket_minutes * MINUTE_MS;
  const start = Math.floor(first / size) * size;
  const buckets = Array.from({ length: Math.floor((last - start) / size) + 1 }, (_, index) => ({
    from: toWire(start + index * size),
    recipients: 0,
  }));
  for (const stretch of sent) addStretch(buckets, stretch, start, size);
  return { bucket_minutes, buckets, first: toWire(first), last: toWire(last) };
}

const toWire = (at: number): string => new Date(at).toISOString().slice(0, 19).replace('T', ' ');

const atOnce = ({ at, recipients }: Group): Stretch => ({ from: at, to: at, recipients });

function addStretch(buckets: { recipients: number }[], { from, to, recipients }: Stretch, start: number, size: number) {
  const interval = (to - from) / Math.max(1, recipients - 1);
  let added = 0;
  for (let index = Math.floor((from - start) / size); added < recipients; index++) {
    const end = start + (index + 1) * size;
    const until = end > to ? recipients : Math.min(recipients, Math.ceil((end - from) / interval));
    buckets[index]!.recipients += until - added;
    added = until;
  }
}

/** Serves the open groups in the order of their times, as the fan-out does. */
function atPace(groups: readonly Group[], interval: number): Stretch[] {
  const left = groups.map((group) => ({ ...group })).sort((a, b) => a.at - b.at);
  const stretches: Stretch[] = [];
  let now = left[0]?.at ?? 0;
  for (let step = 0; step < MAX_STEPS; step++) {
    for (const group of left) reopen(group, now);
    const rest = left.filter(({ recipients }) => recipients > 0);
    if (rest.length === 0) break;
    const open = rest.filter(({ at }) => at <= now).sort((a, b) => a.at - b.at);
    const [group] = open;
    const opening = Math.min(...rest.filter(({ at }) => at > now).map(({ at }) => at));
    if (!group) {
      now = opening;
      continue;
    }
    const end = Math.min(opening, group.until ?? Number.POSITIVE_INFINITY);
    const recipients = Math.min(group.recipients, Math.max(1, Math.ceil((end - now) / interval)));
    const to = now + recipients * interval;
    stretches.push({ from: now, to: to - interval, recipients });
    group.recipients -= recipients;
    now = to;
  }
  return stretches;
}

/** A window that has closed opens again on the next day. */
function reopen(group: Group, now: number): void {
  while (group.until !== null && group.until <= now && group.recipients > 0) {
    group.at += DAY_MS;
    group.until += DAY_MS;
  }
}
