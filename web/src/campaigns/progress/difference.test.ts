import { expect, test } from 'vitest';
import { explainDifference } from './difference.ts';

const NO_COUNTS = {
  ...{ waiting: 0, enroute: 0, sent: 0, delivered: 0, read: 0, failed: 0, rejected: 0 },
  ...{ expired: 0, blocked: 0, unsubscribed: 0, canceled: 0 },
};
const forecast = { will_receive: 10, total_micros: 400_000, countries: [] };
const row = (recipients: number, cost_micros: number, uncharged = 0, uncharged_micros = 0) => ({
  ...{ country: 'GB', recipients, cost_micros, uncharged, uncharged_micros },
});
const explain = (actual: ReturnType<typeof row>[], outline: Partial<Parameters<typeof explainDifference>[0]> = {}) =>
  explainDifference(
    { counts: NO_COUNTS, skipped: {}, fallbacks: [], ...outline },
    { forecast, actual, currency: 'USD' },
  );

test('an equal cost needs no explanation', () => {
  expect(explain([row(10, 400_000)])).toEqual(['The cost agrees with the forecast.']);
});

test('messages that are not charged explain their part of the difference', () => {
  expect(explain([row(10, 320_000, 2, 80_000)])).toEqual([
    '2 messages failed or were canceled, and are not charged: -$0.08.',
  ]);
});

test('fewer recipients are named with their reasons, and the rest of the difference has an amount', () => {
  expect(explain([row(7, 280_000)], { skipped: { removed: 2, canceled: 1 } })).toEqual([
    '3 fewer recipients than forecast: 2 contacts left the audience after the start, and ' +
      '1 contact had no message when the campaign was canceled.',
    'Other recipients, prices, or texts than in the forecast: -$0.12.',
  ]);
  expect(explain([row(9, 360_000)])[0]).toBe(
    '1 fewer recipient than forecast, because contacts were skipped after the start.',
  );
});

test('a changed price and a cheaper channel are named', () => {
  expect(explain([row(10, 500_000)])).toEqual(['Prices or contacts that changed after the forecast: $0.10.']);
  expect(explain([row(10, 300_000)], { fallbacks: [{}] as never })).toEqual([
    'The forecast has the price of the most expensive channel of each message: -$0.10.',
  ]);
});

test('a campaign that still sends says so instead of explaining the difference', () => {
  expect(explain([row(4, 160_000)], { counts: { ...NO_COUNTS, waiting: 6, enroute: 4 } })).toEqual([
    '6 contacts have no message yet.',
    'The cost includes amounts reserved for 4 messages in transit.',
  ]);
});
