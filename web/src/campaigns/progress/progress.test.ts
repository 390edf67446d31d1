import { describe, expect, test } from 'vitest';
import { campaignTotals, measureRate, outcomeText, type Reading, secondsLeft, withReading } from './progress.ts';

const noCounts = {
  waiting: 0,
  enroute: 0,
  sent: 0,
  delivered: 0,
  read: 0,
  failed: 0,
  rejected: 0,
  expired: 0,
  blocked: 0,
  unsubscribed: 0,
  canceled: 0,
};

test('each recipient is counted once, and the parts add up to the total', () => {
  const counts = {
    ...noCounts,
    waiting: 10,
    enroute: 20,
    sent: 5,
    delivered: 50,
    read: 3,
    failed: 2,
    expired: 1,
    blocked: 1,
    canceled: 4,
  };
  const totals = campaignTotals({ counts, skipped: { stop_list: 1, no_price: 1, canceled: 2 }, total: 100 });
  expect(totals).toEqual({
    done: 64,
    total: 100,
    delivered: 53,
    sent: 5,
    failed: 4,
    skipped: 2,
    canceled: 6,
    left: 30,
  });
  const { delivered, sent, failed, skipped, canceled, left, total } = totals;
  expect(delivered + sent + failed + skipped + canceled + left).toBe(total);
});

test('a finished campaign states how many recipients were sent and skipped', () => {
  const counts = { ...noCounts, delivered: 5, failed: 1 };
  expect(outcomeText(campaignTotals({ counts, skipped: { no_price: 18 }, total: 24 }))).toBe('6 sent, 18 skipped');
  expect(outcomeText(campaignTotals({ counts: { ...noCounts, delivered: 24 }, skipped: {}, total: 24 }))).toBe(
    '24 sent',
  );
  const stopped = { ...noCounts, delivered: 2, canceled: 1, enroute: 3 };
  expect(outcomeText(campaignTotals({ counts: stopped, skipped: { canceled: 4 }, total: 10 }))).toBe(
    '2 sent, 5 canceled, 3 waiting',
  );
});

describe('the sending rate', () => {
  const after = (...list: [number, number][]) =>
    list.reduce<Reading[]>((readings, [at, done]) => withReading(readings, { at, done }), []);

  test('is null until two readings are far enough apart', () => {
    expect(measureRate(after([0, 0]))).toBeNull();
    expect(measureRate(after([0, 0], [300, 200]))).toBeNull();
    expect(measureRate(after([0, 0], [1_000, 500], [2_000, 1_200]))).toBe(600);
  });

  test('uses only readings from the last few seconds', () => {
    expect(measureRate(after([0, 0], [10_000, 10_000], [20_000, 10_100], [30_000, 10_200]))).toBe(10);
  });

  test('restarts when the count drops, as it does after a retry', () => {
    expect(measureRate(after([0, 1_000], [1_000, 2_000], [2_000, 500]))).toBeNull();
  });

  test('determines the time left', () => {
    expect(secondsLeft(600, 60)).toBe(10);
    expect([secondsLeft(600, null), secondsLeft(600, 0), secondsLeft(0, 60)]).toEqual([null, null, null]);
  });
});
