import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Pace } from './pace.ts';

const MINUTE = 60_000;
const bind = (throughput: number | null) => ({ throughput });

/** A carrier that allows this many messages per second, with a burst of one second. */
function openBucket(per_second: number) {
  let tokens = per_second;
  let at = 0;
  return {
    per_second,
    take(now: number): boolean {
      tokens = Math.min(this.per_second, tokens + ((now - at) / 1_000) * this.per_second);
      at = now;
      if (tokens < 1) return false;
      tokens--;
      return true;
    },
  };
}

/** Workers with endless campaigns submit to one carrier in steps of 10 ms, at most a window at once. */
function simulate(options: { per_second: number; workers?: number; window?: number }) {
  const { per_second, workers = 1, window = 50 } = options;
  let now = 0;
  const carrier = openBucket(per_second);
  const paces = Array.from({ length: workers }, () => {
    const pace = new Pace(() => now);
    pace.join(bind(null));
    return pace;
  });
  const run = (ms: number) => {
    const counts = { accepted: 0, throttled: 0, by: paces.map(() => 0) };
    for (const end = now + ms; now < end; now += 10) {
      // Varies the order of the workers.
      const first = Math.floor(Math.abs(Math.sin(now) * 1_000));
      for (let turn = 0; turn < workers; turn++) {
        const index = (first + turn) % workers;
        const pace = paces[index]!;
        const count = Math.min(window, pace.available('campaign'));
        pace.take(count);
        for (let message = 0; message < count; message++) {
          if (carrier.take(now)) {
            pace.countAccepted(1);
            counts.accepted++;
            counts.by[index]!++;
          } else {
            counts.throttled++;
            pace.slowDown(now);
          }
        }
      }
    }
    return counts;
  };
  return { run, carrier, paces };
}

describe('a pace', () => {
  test('is unlimited until the carrier throttles', () => {
    const pace = new Pace(() => 0);
    pace.join(bind(null));
    pace.take(10_000);
    expect(pace.available('campaign')).toBe(Number.POSITIVE_INFINITY);
    expect(pace.learnedPerBind).toBeNull();
  });

  test('settles just below the rate of the carrier when it is throttled', () => {
    fc.assert(
      fc.property(fc.integer({ min: 5, max: 2_000 }), (per_second) => {
        const { run } = simulate({ per_second });
        run(MINUTE);
        const { accepted, throttled } = run(2 * MINUTE);
        expect(accepted).toBeGreaterThan(per_second * 120 * 0.75);
        expect(throttled).toBeLessThan(accepted * 0.02 + 30);
      }),
      { numRuns: 40 },
    );
  });

  test('converges to equal shares when several workers submit to one carrier', () => {
    const { run } = simulate({ per_second: 200, workers: 4 });
    run(5 * MINUTE);
    const { accepted, throttled, by } = run(5 * MINUTE);
    expect(accepted).toBeGreaterThan(200 * 300 * 0.75);
    expect(throttled).toBeLessThan(accepted * 0.03);
    for (const count of by) expect(count / (accepted / by.length)).toBeGreaterThan(0.5);
  });

  test('recovers when the carrier raises its limit again', () => {
    const { run, carrier } = simulate({ per_second: 400 });
    run(MINUTE);
    carrier.per_second = 0.01;
    run(MINUTE);
    carrier.per_second = 400;
    run(2 * MINUTE);
    expect(run(MINUTE).accepted).toBeGreaterThan(400 * 60 * 0.75);
    carrier.per_second = 4_000;
    run(2 * MINUTE);
    expect(run(MINUTE).accepted).toBeGreaterThan(1_600 * 60);
  });

  test('recovers to the configured rate of the binds without exceeding it when throttling ends', () => {
    let now = 0;
    const pace = new Pace(() => now);
    const [first, second] = [bind(10), bind(10)];
    pace.join(first);
    pace.join(second);
    const run = (ms: number) => {
      let taken = 0;
      for (const end = now + ms; now < end; now += 10) {
        const count = pace.available('code');
        pace.take(count);
        pace.countAccepted(count);
        taken += count;
      }
      return taken;
    };
    expect(run(MINUTE)).toBeLessThanOrEqual(20 * 60 + 3);
    pace.slowDown(now);
    expect(pace.learnedPerBind).toBeLessThan(10);
    run(MINUTE);
    expect(pace.learnedPerBind).toBeNull();
    pace.leave(second);
    expect(run(MINUTE)).toBeLessThanOrEqual(10 * 60 + 3);
  });

  test('is lowered once when several messages that were submitted at the same pace are throttled', () => {
    let now = 1_000;
    const pace = new Pace(() => now);
    pace.join(bind(100));
    for (let message = 0; message < 50; message++) pace.slowDown(900);
    const [lowered] = [pace.learnedPerBind];
    now = 1_100;
    pace.slowDown(950);
    expect(pace.learnedPerBind).toBe(lowered);
    pace.slowDown(1_050);
    expect(pace.learnedPerBind).toBeLessThan(lowered!);
  });

  test.each([1, 5, 20, 400])('of %i per second reserves capacity for codes when campaigns wait', (rate) => {
    let now = 0;
    const pace = new Pace(() => now);
    pace.join(bind(rate));
    let campaigns = 0;
    let refusedCodes = 0;
    for (let tick = 1; tick <= 3_000; tick++) {
      now += 20;
      const count = pace.available('campaign');
      pace.take(count);
      campaigns += count;
      // One code in five messages.
      if (tick % Math.max(1, Math.round(250 / rate)) !== 0) continue;
      if (pace.available('code') > 0) pace.take(1);
      else refusedCodes++;
    }
    expect(refusedCodes).toBe(0);
    expect(campaigns).toBeGreaterThan(rate * 60 * 0.5 - 5);
  });
});
