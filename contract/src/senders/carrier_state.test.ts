import { expect, test } from 'vitest';
import { carrierFields, carrierValue, peopleADay, stateNews } from './carrier_state.ts';

test.each([
  ['TIER_250', 250, '250'],
  ['TIER_2K', 2_000, '2,000'],
  ['TIER_NOT_SET', null, 'Not set'],
  ['TIER_UNLIMITED', Number.POSITIVE_INFINITY, 'Unlimited'],
  ['10000', 10_000, '10,000'],
  [undefined, null, ''],
])('a limit of %s', (limit, people, words) => {
  expect(peopleADay(limit)).toBe(people);
  if (limit !== undefined) expect(carrierValue('limit', limit)).toBe(words);
});

test('a carrier state is shown in words, without what is shown elsewhere', () => {
  expect(carrierFields(null)).toEqual([]);
  expect(
    carrierFields({
      number: '447700900100',
      quality: 'YELLOW',
      quality_event: 'UNFLAGGED',
      name_status: 'PENDING_REVIEW',
      name: 'Harbour',
      verified: true,
      count: 1_200,
      empty: '',
    }),
  ).toEqual([
    { label: 'Quality', value: 'Medium' },
    { label: 'Display name', value: 'Pending review' },
    { label: 'Name at the carrier', value: 'Harbour' },
    { label: 'Verified', value: 'Yes' },
    { label: 'Count', value: '1,200' },
  ]);
});

test.each<[string, object | null, object, (string | boolean)[][]]>([
  ['the first word', null, { quality: 'GREEN', limit: 'TIER_250' }, []],
  ['low at once', null, { quality: 'RED' }, [['quality_changed', 'Quality: low.', true]]],
  ['better', { quality: 'RED' }, { quality: 'GREEN' }, [['quality_changed', 'Quality: high, was low.', false]]],
  ['not rated any more', { quality: 'GREEN' }, { quality: 'UNKNOWN' }, []],
  ['rated at last', { quality: 'UNKNOWN' }, { quality: 'GREEN' }, []],
  ['the same limit in other words', { limit: 'TIER_2K' }, { limit: '2000' }, []],
  [
    'fewer',
    { limit: 'TIER_UNLIMITED' },
    { limit: 'TIER_2K' },
    [['limit_changed', 'People a day: 2,000, was unlimited.', true]],
  ],
  ['more', { limit: 'TIER_250' }, { limit: 'TIER_2K' }, [['limit_changed', 'People a day: 2,000, was 250.', false]]],
  ['banned', { ban: 'REINSTATE' }, { ban: 'DISABLE' }, [['restricted', 'Banned: disable.', true]]],
  ['let go again', { ban: 'DISABLE' }, { ban: 'REINSTATE' }, []],
  ['nothing new', { quality: 'RED', ban: 'DISABLE' }, { quality: 'RED', ban: 'DISABLE' }, []],
])('news: %s', (_, before, now, expected) => {
  const news = stateNews(before as Parameters<typeof stateNews>[0], now as Parameters<typeof stateNews>[1]);
  expect(news.map(({ kind, text, bad }) => [kind, text, bad])).toEqual(expected);
});
