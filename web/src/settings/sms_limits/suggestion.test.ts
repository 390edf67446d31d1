import type { LimitSuggestion } from '@parley/contract/guard/suggestions.ts';
import { expect, test } from 'vitest';
import { suggestionText } from './SuggestionPart.tsx';

const FIGURES = {
  ...{ days: 15, until_date: '2026-07-16 00:00:00', intervals: 4, currency: 'USD', reason: null },
  ...{ highest: 1_200, highest_date: '2026-07-12 00:00:00', suggested: 2_400, risk: null },
} as const satisfies LimitSuggestion;

test('a suggestion shows the figures behind it', () => {
  expect(suggestionText({ type: 'messages', interval: 'day', suggestion: FIGURES })).toBe(
    'In the last 15 days, you sent at most 1,200 messages per day (2026-07-12 00:00 UTC). ' +
      'The suggestion of 2,400 messages is twice that, rounded up.',
  );
  const month = { ...FIGURES, highest_date: null };
  expect(suggestionText({ type: 'messages', interval: 'month', suggestion: month })).toContain(
    'you sent 600 messages, which is 1,200 messages in 30 days.',
  );
});

test('a suggestion for a risky country is lower and shows why', () => {
  const risk = { level: 'high', country: 'AZ', cost_times: 4.2, delivered: 0.31 } as const;
  const suggestion = { ...FIGURES, suggested: 1_500, risk };
  expect(suggestionText({ type: 'messages', interval: 'day', suggestion })).toMatch(
    /1,500 messages is 1\.25 times that, .* risk of SMS pumping is high: 31% of your messages to Azerbaijan were/,
  );
});

test('an account whose traffic is not counted yet gets a notice', () => {
  const none = { ...FIGURES, highest: null, suggested: null, reason: 'no_traffic' } as const;
  const shown = { type: 'messages', interval: 'day' } as const;
  expect(suggestionText({ ...shown, suggestion: none })).toMatch(/sent no messages like these/);
  expect(suggestionText({ ...shown, suggestion: { ...none, until_date: null } })).toMatch(/not counted yet/);
});
