import { describeEvidence, type PumpingSignal } from '@parley/contract/guard/pumping.ts';
import { expect, test } from 'vitest';
import { findFallen } from './settle.ts';
import { CODE_RULES, findSignals, MESSAGE_RULES, type PlaceFigures } from './signals.ts';

const QUIET: PlaceFigures = {
  ...{ kind: 'range', sent: 10, unused: 2, usual_unused: 2, day_sent: 60, day_verified: 45 },
  ...{ before_sent: 800, before_verified: 600, busiest: 12, all_sent: 100, all_before: 9_000, run: 0 },
};
const RULES = { ...CODE_RULES, surge: { least: 30, growth: 3 } };
const find = (changes: Partial<PlaceFigures>) => findSignals({ ...QUIET, ...changes }, RULES);
const signals = (changes: Partial<PlaceFigures>) => find(changes).map(({ signal }) => signal);

test.for<[string, Partial<PlaceFigures>, PumpingSignal[]]>([
  ['ordinary traffic', {}, []],
  ['unused codes below the minimum', { sent: 29, unused: 29 }, []],
  ['a surge of unused codes', { sent: 30, unused: 30 }, ['unused']],
  ['a surge of unused codes that is usual', { sent: 30, unused: 30, usual_unused: 11 }, []],
  ['a surge of codes that people enter', { sent: 49, unused: 30 }, []],
  ['a lower conversion', { day_verified: 20 }, []],
  ['a conversion of a third', { day_verified: 15 }, []],
  ['a conversion below a third', { day_verified: 14 }, ['conversion']],
  ['a low conversion of few codes', { day_sent: 49, day_verified: 0 }, []],
  ['a low conversion of a new account', { day_verified: 0, before_sent: 199, before_verified: 150 }, []],
  ['a conversion that was always low', { day_verified: 0, before_verified: 100 }, []],
  ['nine consecutive numbers', { sent: 9, unused: 9, run: 9 }, []],
  ['ten consecutive numbers', { sent: 10, unused: 10, run: 10 }, ['consecutive']],
  ['ten consecutive numbers of people who enter their codes', { sent: 10, unused: 7, run: 10 }, []],
  ['ten consecutive numbers in a country', { kind: 'country', sent: 10, unused: 10, run: 10 }, []],
  ['a range with most of the codes', { sent: 50, all_sent: 70, busiest: 40 }, ['concentration']],
  ['a range with many of the codes', { sent: 50, all_sent: 72, busiest: 40 }, []],
  [
    'a range that always has most of the codes',
    { sent: 50, all_sent: 60, busiest: 40, before_sent: 7_000, before_verified: 5_000 },
    [],
  ],
  ['a range with most of few codes', { sent: 49, all_sent: 49, busiest: 40 }, []],
  ['five times the busiest hour', { sent: 60, all_sent: 600 }, ['growth']],
  ['less than five times the busiest hour', { sent: 59, all_sent: 600 }, []],
  [
    'the first traffic of an account',
    { sent: 60, all_sent: 60, all_before: 0, before_sent: 0, before_verified: 0, busiest: 0 },
    [],
  ],
  ['growth of a country below its minimum', { kind: 'country', sent: 199, all_sent: 600 }, []],
  ['growth of a country', { kind: 'country', sent: 200, all_sent: 600 }, ['growth']],
])('%s', ([, changes, expected]) => {
  expect(signals(changes)).toEqual(expected);
});

test('the evidence states the figures of the sign in words', () => {
  const words = (changes: Partial<PlaceFigures>) =>
    find(changes).map(({ signal, evidence }) => describeEvidence(signal, 'range', evidence));
  expect(words({ sent: 40, unused: 40 })).toEqual([
    '40 codes to this range were not entered within an hour. The busiest hour of the previous week had 2 unused codes.',
  ]);
  expect(words({ day_verified: 6 })).toEqual([
    '10% of 60 codes were entered in the last 24 hours. Before, it was 75%.',
  ]);
  expect(words({ sent: 12, unused: 12, run: 12 })).toEqual([
    'Codes were requested for 12 consecutive numbers within an hour.',
  ]);
  expect(words({ sent: 50, all_sent: 60, busiest: 40 })).toEqual([
    '83% of 60 codes in an hour went to this range. Before, it was 9%.',
  ]);
  expect(words({ sent: 70, all_sent: 700 })).toEqual([
    '70 codes were requested for this range within an hour. The busiest hour of the last 15 days had 12 codes.',
  ]);
});

const MESSAGES: Partial<PlaceFigures> = { sent: 60, unused: 60, busiest: 2, all_sent: 200, all_before: 9_000 };
test.for<[string, 'messages' | 'campaigns', Partial<PlaceFigures>, PumpingSignal[]]>([
  ['messages to a range that stands out', 'messages', MESSAGES, ['growth']],
  ['messages to one of many ranges of a mailing', 'messages', { ...MESSAGES, all_sent: 301 }, []],
  ['the same messages of a campaign, which is a burst', 'campaigns', MESSAGES, []],
  ['a campaign to a country without earlier messages', 'campaigns', { ...MESSAGES, kind: 'country', sent: 900 }, []],
  ['19 consecutive numbers', 'messages', { ...MESSAGES, busiest: 60, run: 19 }, []],
  ['20 consecutive numbers', 'campaigns', { ...MESSAGES, run: 20 }, ['consecutive']],
  ['a campaign that goes to one range', 'campaigns', { ...MESSAGES, all_sent: 80 }, ['concentration']],
])('%s', ([, traffic, changes, expected]) => {
  const found = findSignals({ ...QUIET, ...changes }, MESSAGE_RULES[traffic]);
  expect(found.map(({ signal }) => signal)).toEqual(expected);
});

const OUTCOMES = {
  ...{ day: 1_000, day_delivered: 940, day_responded: 30, before: 5_000, before_delivered: 4_700 },
  before_responded: 150,
};
test.for<[string, Partial<typeof OUTCOMES>, string | null]>([
  ['usual outcomes', {}, null],
  [
    'messages that are no longer delivered',
    { day_delivered: 300 },
    '30% of 1,000 messages were delivered in the last 24 hours. Before, it was 94%.',
  ],
  ['delivery above a third of the usual share', { day_delivered: 320 }, null],
  [
    'messages without responses',
    { day_responded: 9 },
    '0.9% of 1,000 messages were answered or had their link opened in the last 24 hours. Before, it was 3.0%.',
  ],
  ['few messages without responses', { day: 600, day_delivered: 590, day_responded: 0 }, null],
  ['messages to which people rarely respond', { day_responded: 0, before_responded: 99 }, null],
  ['a destination without history', { day_delivered: 0, before: 0, before_delivered: 0, before_responded: 0 }, null],
])('%s', ([, changes, expected]) => {
  const found = findFallen('country', { ...OUTCOMES, ...changes });
  expect(found && describeEvidence(found.signal, 'country', found.evidence, 'messages')).toBe(expected);
});
