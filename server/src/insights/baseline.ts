/**
 * Compares an hour with the same hour of previous weeks. Medians ignore single unusual weeks. A figure is anomalous
 * only if it differs by many times its usual variation, by a minimum that matters, and is computed from enough
 * messages.
 */
import type { AnomalyMetric, Sensitivity } from '@parley/contract/insights/anomalies.ts';

export interface HourFigures {
  sent: number;
  delivered: number;
  failed: number;
  volume: number;
  spend_micros: number;
  /** The delay that 95% of the delivered messages did not exceed, in seconds, and the number of these messages. */
  p95: number;
  timed: number;
}

export interface Judgment {
  observed: number;
  /** The median of the hours it is compared with. */
  expected: number;
  low: number | null;
  high: number | null;
  sample: number;
  verdict: 'above' | 'below' | 'normal';
  /** True if the figure is well within the range, so that an anomaly may end. */
  is_calm: boolean;
}

/** Fewer weeks do not show the usual range. */
export const MIN_WEEKS = 3;
/** Fewer messages prove nothing. */
const MIN_SAMPLE = 50;
const MIN_WEEK_SAMPLE = 20;
/** More messages than this count as a surge in a country that usually gets hardly any. */
const NEW_SURGE = 300;
const MIN_SURGE = 100;
const USUAL_VOLUME = 20;
/** Makes the median absolute deviation comparable with a standard deviation. */
const MAD_SCALE = 1.4826;
/** A figure within this share of the distance from the median to the limit may end an anomaly. */
const CALM_SHARE = 0.6;

interface Limits {
  /** The number of usual variations by which a figure must differ. */
  readonly deviations: number;
  /** The factor by which a count must be higher or lower. */
  readonly times: number;
  /** The increase that a share of failures needs, given its usual value. */
  readonly rise: (share: number) => number;
  /** The largest probability that a share of failures this high is chance. */
  readonly chance: number;
  /** The factor and the number of seconds by which a delay must be longer. */
  readonly slower: number;
  readonly seconds: number;
}
const LIMITS: Readonly<Record<Sensitivity, Limits>> = {
  low: {
    ...{ deviations: 8, times: 5, rise: (share) => Math.min(0.1 + 2 * share, 0.35), chance: 1e-9 },
    ...{ slower: 4, seconds: 30 },
  },
  medium: {
    ...{ deviations: 6, times: 3, rise: (share) => Math.min(0.05 + share, 0.2), chance: 1e-7 },
    ...{ slower: 2.5, seconds: 15 },
  },
  high: {
    ...{ deviations: 4, times: 2, rise: (share) => Math.min(0.03 + share / 2, 0.12), chance: 1e-5 },
    ...{ slower: 1.75, seconds: 5 },
  },
};

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}

const variation = (values: readonly number[], center: number): number =>
  MAD_SCALE * median(values.map((value) => Math.abs(value - center)));

/** The smallest and the largest value. One outlier on each side is ignored if there are at least four values. */
function usualRange(values: readonly number[]): [number, number] {
  const sorted = values.toSorted((a, b) => a - b);
  const cut = sorted.length >= 4 ? 1 : 0;
  return [sorted[cut]!, sorted[sorted.length - 1 - cut]!];
}

/** The probability of at least `hits` of `trials`, if each has the probability `share`; 1 up to the mean. */
export function binomialTail(hits: number, trials: number, share: number): number {
  if (hits <= trials * share) return 1;
  if (share <= 0) return 0;
  // Adds the terms from `hits` on, each computed from the last one. Above the mean, they fall at least geometrically.
  let log = trials * Math.log1p(-share);
  for (let k = 1; k <= hits; k++) log += Math.log(((trials - k + 1) / k) * (share / (1 - share)));
  let term = Math.exp(log);
  let sum = 0;
  for (let k = hits; k <= trials && term > 0; k++) {
    sum += term;
    const next = term * ((trials - k) / (k + 1)) * (share / (1 - share));
    if (next < term && next < sum * 1e-12) break;
    term = next;
  }
  return Math.min(1, sum);
}

/** Returns null if there are too few messages or weeks to compare. */
export function judge(
  metric: AnomalyMetric,
  now: HourFigures,
  weeks: readonly HourFigures[],
  sensitivity: Sensitivity,
): Judgment | null {
  if (weeks.length < MIN_WEEKS) return null;
  if (metric === 'volume') return judgeVolume(now, weeks, sensitivity);
  if (metric === 'spend') return judgeSpend(now, weeks, sensitivity);
  if (metric === 'latency') return judgeLatency(now, weeks, sensitivity);
  return judgeRate(metric, now, weeks, sensitivity);
}

/** The figure of an hour, and the number of messages behind it. */
export function readFigure(metric: AnomalyMetric, hour: HourFigures): { observed: number; sample: number } {
  const { sent, delivered, failed, volume, spend_micros, p95, timed } = hour;
  if (metric === 'volume') return { observed: volume, sample: volume };
  if (metric === 'spend') return { observed: spend_micros, sample: volume };
  if (metric === 'latency') return { observed: p95, sample: timed };
  return { observed: sent === 0 ? 0 : (metric === 'error_rate' ? failed : delivered) / sent, sample: sent };
}

type Range = Pick<Judgment, 'observed' | 'expected' | 'low' | 'high' | 'sample'>;

function conclude(range: Range, verdict: Judgment['verdict']): Judgment {
  const { observed, expected, low, high } = range;
  const is_calm =
    (high === null || observed <= expected + CALM_SHARE * (high - expected)) &&
    (low === null || observed >= expected - CALM_SHARE * (expected - low));
  return { ...range, verdict, is_calm: verdict === 'normal' && is_calm };
}

/** Counts vary by factors, so their logarithms are compared. `usual`: the usual number of messages. */
function countRange(values: readonly number[], usual: number, sensitivity: Sensitivity) {
  const { deviations, times } = LIMITS[sensitivity];
  const logs = values.map((value) => Math.log(value + 1));
  const center = median(logs);
  const chance = 1 / Math.sqrt(Math.max(usual, 1));
  const factor = Math.exp(Math.max(deviations * Math.max(variation(logs, center), chance), Math.log(times)));
  const expected = median(values);
  const [least, most] = usualRange(values);
  return { expected, low: Math.min(expected / factor, least), high: Math.max(expected * factor, most) };
}

const isSurge = (volume: number, usual: number): boolean =>
  volume >= MIN_SURGE && (usual >= USUAL_VOLUME || volume >= NEW_SURGE);

function judgeVolume(now: HourFigures, weeks: readonly HourFigures[], sensitivity: Sensitivity): Judgment | null {
  const values = weeks.map(({ volume }) => volume);
  const usual = median(values);
  const observed = now.volume;
  if (usual < MIN_SAMPLE && observed < MIN_SURGE) return null;
  const range = { observed, sample: observed, ...countRange(values, usual, sensitivity) };
  if (observed > range.high && isSurge(observed, usual)) return conclude(range, 'above');
  return conclude(range, observed < range.low && usual >= MIN_SAMPLE ? 'below' : 'normal');
}

/** Only a higher spend is an anomaly. A lower one is a lower volume. */
function judgeSpend(now: HourFigures, weeks: readonly HourFigures[], sensitivity: Sensitivity): Judgment | null {
  const usual = median(weeks.map(({ volume }) => volume));
  if (usual < MIN_SAMPLE && now.volume < MIN_SURGE) return null;
  const values = weeks.map(({ spend_micros }) => spend_micros);
  const { expected, high } = countRange(values, usual, sensitivity);
  const range = { observed: now.spend_micros, sample: now.volume, expected, low: null, high };
  return conclude(range, range.observed > high && isSurge(now.volume, usual) ? 'above' : 'normal');
}

/** A binomial test, because a share of few messages varies by chance. */
function judgeRate(
  metric: 'error_rate' | 'delivery_rate',
  now: HourFigures,
  weeks: readonly HourFigures[],
  sensitivity: Sensitivity,
): Judgment | null {
  const compared = weeks.filter(({ sent }) => sent >= MIN_WEEK_SAMPLE);
  if (now.sent < MIN_SAMPLE || compared.length < MIN_WEEKS) return null;
  const bad = (hour: HourFigures) => (metric === 'error_rate' ? hour.failed : hour.sent - hour.delivered);
  const shares = compared.map((hour) => bad(hour) / hour.sent);
  const { deviations, rise, chance } = LIMITS[sensitivity];
  const expected = median(shares);
  const spread = variation(shares, expected);
  const limit = Math.max(expected + Math.max(deviations * spread, rise(expected)), usualRange(shares)[1]);
  // A share of 0 in small samples does not prove that failures are impossible.
  const likely = median(compared.map((hour) => (bad(hour) + 1) / (hour.sent + 2))) + spread;
  const observed = bad(now) / now.sent;
  const is_anomalous = observed > limit && binomialTail(bad(now), now.sent, Math.min(1, likely)) < chance;
  if (metric === 'error_rate')
    return conclude(
      { observed, expected, low: null, high: Math.min(1, limit), sample: now.sent },
      is_anomalous ? 'above' : 'normal',
    );
  return conclude(
    { observed: 1 - observed, expected: 1 - expected, low: Math.max(0, 1 - limit), high: null, sample: now.sent },
    is_anomalous ? 'below' : 'normal',
  );
}

/** Delays vary by factors, so their logarithms are compared. */
function judgeLatency(now: HourFigures, weeks: readonly HourFigures[], sensitivity: Sensitivity): Judgment | null {
  const compared = weeks.filter(({ timed }) => timed >= MIN_WEEK_SAMPLE).map(({ p95 }) => Math.max(p95, 0.1));
  if (now.timed < MIN_SAMPLE || compared.length < MIN_WEEKS) return null;
  const { deviations, slower, seconds } = LIMITS[sensitivity];
  const logs = compared.map(Math.log);
  const center = median(logs);
  const expected = Math.exp(center);
  const usual = Math.exp(center + deviations * variation(logs, center));
  const high = Math.max(usual, expected * slower, expected + seconds, usualRange(compared)[1]);
  const range = { observed: now.p95, sample: now.timed, expected, low: null, high };
  return conclude(range, now.p95 > high ? 'above' : 'normal');
}

export interface OpenState {
  calm_hours: number;
  silent_hours: number;
}

/** An anomaly ends after this many normal hours in a row. */
const CALM_HOURS = 2;
/** An anomaly ends after this many hours with too few messages. */
const SILENT_HOURS = 24;
/** After the end, no new alert about the same figure starts for this many hours. */
export const COOL_DOWN_HOURS = 3;

export type Step =
  | { action: 'none' | 'open' }
  | ({ action: 'keep' } & OpenState)
  | { action: 'end'; reason: 'normal' | 'quiet' };

/** Decides whether an anomaly starts, continues, or ends after another hour. */
export function nextStep(open: OpenState | null, judgment: Judgment | null, is_cooling: boolean): Step {
  if (open === null)
    return { action: judgment !== null && judgment.verdict !== 'normal' && !is_cooling ? 'open' : 'none' };
  if (judgment === null) {
    const silent_hours = open.silent_hours + 1;
    return silent_hours >= SILENT_HOURS
      ? { action: 'end', reason: 'quiet' }
      : { action: 'keep', ...open, silent_hours };
  }
  const calm_hours = judgment.is_calm ? open.calm_hours + 1 : 0;
  return calm_hours >= CALM_HOURS
    ? { action: 'end', reason: 'normal' }
    : { action: 'keep', calm_hours, silent_hours: 0 };
}
