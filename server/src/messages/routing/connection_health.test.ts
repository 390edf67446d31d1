import { expect, test } from 'vitest';
import { type ConnectionCounts, judge } from './connection_health.ts';

const NONE: ConnectionCounts = { answered: 0, latency_ms: 0, lost: 0, delivered: 0, undelivered: 0 };
const now = 10_000_000;

test('a connection is good until enough messages show otherwise', () => {
  expect(judge(null, NONE, now).state).toBe('good');
  expect(judge(null, { ...NONE, undelivered: 19 }, now).state).toBe('good');
  expect(judge(null, { ...NONE, undelivered: 15, delivered: 5 }, now)).toEqual({
    ...{ state: 'poor', since: now, reason: '25% delivered' },
  });
  expect(judge(null, { ...NONE, answered: 10, lost: 10 }, now).reason).toBe('50% without a response');
  expect(judge(null, { ...NONE, answered: 20, latency_ms: 400_000 }, now).reason).toBe('responses take 20 s');
});

test('a poor connection becomes good only when it is clearly better, and not within a minute', () => {
  const poor = { state: 'poor', since: now, reason: '25% delivered' } as const;
  const between = { ...NONE, delivered: 14, undelivered: 6 };
  const better = { ...NONE, delivered: 18, undelivered: 2 };
  expect(judge(null, between, now).state).toBe('good');
  expect(judge(poor, between, now + 90_000)).toMatchObject({ state: 'poor', since: now, reason: '70% delivered' });
  expect(judge(poor, better, now + 30_000)).toEqual(poor);
  expect(judge(poor, better, now + 90_000)).toEqual({ state: 'good', since: now + 90_000, reason: '' });
  expect(judge(poor, NONE, now + 90_000).state).toBe('good');
});
