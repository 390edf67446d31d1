import { ANOMALY_METRICS, type AnomalyMetric, SENSITIVITIES } from '@parley/contract/insights/anomalies.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  binomialTail,
  COOL_DOWN_HOURS,
  type HourFigures,
  judge,
  MIN_WEEKS,
  median,
  nextStep,
  type OpenState,
  readFigure,
} from './baseline.ts';

const WEEK = 168;
const WEEKS = 6;

/** Random numbers that are the same in every run. */
function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

interface Shape {
  /** Messages in the busiest hour. */
  peak: number;
  /** The share by which the volume of an hour varies. */
  noise: number;
  /** The growth per week. */
  growth: number;
  error_rate: number;
}

type Change = (figures: HourFigures, hour: number) => HourFigures;

/** Hours of an account with busy days, quiet nights and weekends, growth, and shares that vary from day to day. */
function makeTraffic(shape: Shape, hours: number, seed: number, change: Change = (figures) => figures): HourFigures[] {
  const random = makeRandom(seed);
  const normal = () => Math.sqrt(-2 * Math.log(random() || 1e-12)) * Math.cos(2 * Math.PI * random());
  const pick = (trials: number, share: number) =>
    Math.min(trials, Math.max(0, Math.round(trials * share + normal() * Math.sqrt(trials * share * (1 - share)))));
  return Array.from({ length: hours }, (_, hour) => {
    const day = 0.55 - 0.45 * Math.cos((2 * Math.PI * ((hour % 24) - 3)) / 24);
    const weekend = Math.floor(hour / 24) % 7 >= 5 ? 0.4 : 1;
    const mean = shape.peak * day * weekend * (1 + shape.growth) ** (hour / WEEK);
    const volume = Math.max(0, Math.round(mean * Math.exp(shape.noise * normal()) + Math.sqrt(mean) * normal()));
    const failed = pick(volume, Math.min(0.9, shape.error_rate * Math.exp(0.25 * normal())));
    const delivered = pick(volume - failed, 0.93);
    const p95 = 8 * Math.exp(0.25 * normal());
    return change(
      { sent: volume, delivered, failed, volume, spend_micros: volume * 40_000, p95, timed: delivered },
      hour,
    );
  });
}

interface Alert {
  metric: AnomalyMetric;
  from: number;
  to: number | null;
}

/** Runs the comparison hour by hour, like the job. */
function listAlerts(hours: readonly HourFigures[], sensitivity: 'low' | 'medium' | 'high' = 'medium'): Alert[] {
  const alerts: Alert[] = [];
  for (const metric of ANOMALY_METRICS) {
    let open: OpenState | null = null;
    let ended = Number.NEGATIVE_INFINITY;
    for (const [hour, figures] of hours.entries()) {
      const weeks = Array.from({ length: WEEKS }, (_, week) => hours[hour - (week + 1) * WEEK]).filter(
        (one): one is HourFigures => one !== undefined,
      );
      const step = nextStep(open, judge(metric, figures, weeks, sensitivity), hour - ended < COOL_DOWN_HOURS);
      if (step.action === 'open') {
        open = { calm_hours: 0, silent_hours: 0 };
        alerts.push({ metric, from: hour, to: null });
      } else if (step.action === 'keep') open = step;
      else if (step.action === 'end') {
        open = null;
        ended = hour;
        alerts.at(-1)!.to = hour;
      }
    }
  }
  return alerts;
}

const YEAR = 52 * WEEK;
const SHAPES: Record<string, Shape> = {
  large: { peak: 20_000, noise: 0.12, growth: 0.01, error_rate: 0.03 },
  'growing fast': { peak: 800, noise: 0.15, growth: 0.04, error_rate: 0.05 },
  uneven: { peak: 400, noise: 0.25, growth: 0, error_rate: 0.08 },
};

test.each(Object.entries(SHAPES))('a year of %s traffic causes at most six false alarms', (_, shape) => {
  for (const seed of [1, 2]) expect(listAlerts(makeTraffic(shape, YEAR, seed)).length).toBeLessThanOrEqual(6);
});

describe('an incident', () => {
  /** A Tuesday at noon, after half a year. */
  const START = 26 * WEEK + 36;
  const during = (length: number, change: (figures: HourFigures) => Partial<HourFigures>): Change => {
    return (figures, hour) => (hour >= START && hour < START + length ? { ...figures, ...change(figures) } : figures);
  };
  const INCIDENTS: Record<string, { metric: AnomalyMetric; change: (figures: HourFigures) => Partial<HourFigures> }> = {
    'no receipts': { metric: 'delivery_rate', change: () => ({ delivered: 0 }) },
    'half the messages fail': {
      metric: 'error_rate',
      change: ({ sent }) => ({ failed: Math.round(sent / 2), delivered: Math.round(sent * 0.45) }),
    },
    'a fifth of the usual volume': {
      metric: 'volume',
      change: ({ volume }) => ({ volume: Math.round(volume / 5), sent: Math.round(volume / 5) }),
    },
    'six times the volume and spend': {
      metric: 'spend',
      change: ({ volume, spend_micros }) => ({ volume: volume * 6, spend_micros: spend_micros * 6 }),
    },
    'slow receipts': { metric: 'latency', change: () => ({ p95: 240 }) },
  };
  test.each(Object.entries(INCIDENTS))(
    '%s is reported once within two hours, and so is its end',
    (_, { metric, change }) => {
      for (const shape of Object.values(SHAPES))
        for (const seed of [4, 5]) {
          const alerts = listAlerts(makeTraffic(shape, START + 4 * WEEK, seed, during(6, change)));
          const found = alerts.filter(({ metric: own, from }) => own === metric && from >= START && from < START + 6);
          expect(found).toHaveLength(1);
          expect(found[0]!.from).toBeLessThan(START + 2);
          expect(found[0]!.to).toBeLessThan(START + 6 + 4);
          // The incident does not spoil the comparison of the following weeks.
          expect(alerts.filter(({ metric: own, from }) => own === metric && from >= START + WEEK - 2)).toEqual([]);
        }
    },
  );
});

const figures = (max: number): fc.Arbitrary<HourFigures> =>
  fc
    .record({
      sent: fc.integer({ min: 0, max }),
      shares: fc.tuple(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 100 })),
      volume: fc.integer({ min: 0, max }),
      price: fc.integer({ min: 0, max: 100_000 }),
      p95: fc.integer({ min: 0, max: 10_000 }),
    })
    .map(({ sent, shares: [bad, good], volume, price, p95 }) => {
      const failed = Math.floor((sent * bad) / 100);
      const delivered = Math.floor(((sent - failed) * good) / 100);
      return { sent, failed, delivered, volume, spend_micros: volume * price, p95, timed: delivered };
    });

test('an account with few messages never gets an alert', () => {
  const input = fc.tuple(figures(49), fc.array(figures(49), { maxLength: 6 }), fc.constantFrom(...SENSITIVITIES));
  fc.assert(
    fc.property(input, ([now, weeks, sensitivity]) => {
      for (const metric of ANOMALY_METRICS)
        expect(judge(metric, now, weeks, sensitivity)?.verdict ?? 'normal').toBe('normal');
    }),
    { numRuns: 2_000 },
  );
});

/** The probability of at least `hits`, from the sum of all terms. */
function naiveTail(hits: number, trials: number, share: number): number {
  const choose = (k: number) => {
    let all = 1;
    for (let i = 0; i < k; i++) all = (all * (trials - i)) / (i + 1);
    return all;
  };
  let sum = 0;
  for (let k = hits; k <= trials; k++) sum += choose(k) * share ** k * (1 - share) ** (trials - k);
  return sum;
}

test('the binomial tail equals the sum of its terms, and 1 up to the mean', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 90 }),
      fc.nat(90),
      fc.integer({ min: 1, max: 99 }),
      (trials, hits, percent) => {
        const share = percent / 100;
        fc.pre(hits <= trials);
        if (hits <= trials * share) expect(binomialTail(hits, trials, share)).toBe(1);
        else expect(binomialTail(hits, trials, share)).toBeCloseTo(naiveTail(hits, trials, share), 9);
      },
    ),
    { numRuns: 2_000 },
  );
  expect(binomialTail(500_000, 1_000_000, 0.3)).toBe(0);
  expect(binomialTail(1, 10, 0)).toBe(0);
});

/** Checks `verdict` without the limits of the implementation. */
test('a verdict agrees with the range, the sample, and the number of weeks', () => {
  const input = fc.tuple(figures(5_000), fc.array(figures(5_000), { maxLength: 6 }), fc.constantFrom(...SENSITIVITIES));
  fc.assert(
    fc.property(input, ([now, weeks, sensitivity]) => {
      for (const metric of ANOMALY_METRICS) {
        const judgment = judge(metric, now, weeks, sensitivity);
        if (judgment === null) continue;
        expect(weeks.length).toBeGreaterThanOrEqual(MIN_WEEKS);
        const { observed, expected, low, high, verdict, is_calm } = judgment;
        const now_figure = readFigure(metric, now);
        expect(observed).toBeCloseTo(now_figure.observed, 9);
        expect(judgment.sample).toBe(now_figure.sample);
        if (low !== null) expect(low).toBeLessThanOrEqual(expected);
        if (high !== null) expect(high).toBeGreaterThanOrEqual(expected);
        if (verdict === 'above') expect(observed).toBeGreaterThan(high!);
        if (verdict === 'below') expect(observed).toBeLessThan(low!);
        if (verdict !== 'normal') expect(is_calm).toBe(false);
        if (is_calm) expect([low ?? 0 <= observed, observed <= (high ?? observed)]).not.toContain(false);
        if (metric === 'volume' || metric === 'spend')
          expect(expected).toBe(median(weeks.map((week) => readFigure(metric, week).observed)));
        // A more sensitive setting reports everything that a less sensitive one does.
        if (sensitivity !== 'high' && verdict !== 'normal')
          expect(judge(metric, now, weeks, 'high')?.verdict).toBe(verdict);
      }
    }),
    { numRuns: 2_000 },
  );
});

test('the median is in the middle of the sorted values', () => {
  fc.assert(
    fc.property(fc.array(fc.integer(), { minLength: 1, maxLength: 9 }), (values) => {
      const middle = median(values);
      expect(values.filter((value) => value < middle).length).toBeLessThanOrEqual(values.length / 2);
      expect(values.filter((value) => value > middle).length).toBeLessThanOrEqual(values.length / 2);
    }),
  );
});

describe('an anomaly', () => {
  const NORMAL = { observed: 1, expected: 1, low: 0, high: 2, sample: 100, verdict: 'normal', is_calm: true } as const;
  const HIGH = { ...NORMAL, observed: 5, verdict: 'above', is_calm: false } as const;
  const BETWEEN = { ...NORMAL, observed: 1.9, is_calm: false } as const;

  test('starts immediately, but not while the figure cools down', () => {
    expect(nextStep(null, HIGH, false)).toEqual({ action: 'open' });
    expect(nextStep(null, HIGH, true)).toEqual({ action: 'none' });
    expect(nextStep(null, null, false)).toEqual({ action: 'none' });
  });

  test('ends after two normal hours in a row', () => {
    const open = { calm_hours: 0, silent_hours: 0 };
    expect(nextStep(open, NORMAL, false)).toEqual({ action: 'keep', calm_hours: 1, silent_hours: 0 });
    expect(nextStep({ ...open, calm_hours: 1 }, BETWEEN, false)).toEqual({ action: 'keep', ...open });
    expect(nextStep({ ...open, calm_hours: 1 }, null, false)).toEqual({
      action: 'keep',
      calm_hours: 1,
      silent_hours: 1,
    });
    expect(nextStep({ ...open, calm_hours: 1 }, NORMAL, false)).toEqual({ action: 'end', reason: 'normal' });
  });

  test('ends after a day with too few messages', () => {
    expect(nextStep({ calm_hours: 0, silent_hours: 22 }, null, false)).toMatchObject({ action: 'keep' });
    expect(nextStep({ calm_hours: 0, silent_hours: 23 }, null, false)).toEqual({ action: 'end', reason: 'quiet' });
  });
});
