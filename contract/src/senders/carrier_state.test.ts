import { expect, test } from 'vitest';
import { carrierFields, carrierValue, recipientsPerDay, stateChanges } from './carrier_state.ts';

test.each([
  ['TIER_250', 250, '250'],
  ['TIER_2K', 2_000, '2,000'],
  ['TIER_NOT_SET', null, 'Not set'],
  ['TIER_UNLIMITED', Number.POSITIVE_INFINITY, 'Unlimited'],
  ['10000', 10_000, '10,000'],
  [undefined, null, ''],
])('the limit %s is parsed and formatted', (limit, people, label) => {
  expect(recipientsPerDay(limit)).toBe(people);
  if (limit !== undefined) expect(carrierValue('limit', limit)).toBe(label);
});

test('a carrier state is listed with labels and values, without the fields shown elsewhere', () => {
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
  ['a first state', null, { quality: 'GREEN', limit: 'TIER_250' }, []],
  ['a first state with low quality', null, { quality: 'RED' }, [['quality_changed', 'Quality: low.', true]]],
  [
    'better quality',
    { quality: 'RED' },
    { quality: 'GREEN' },
    [['quality_changed', 'Quality: high (was low).', false]],
  ],
  ['a quality that is no longer rated', { quality: 'GREEN' }, { quality: 'UNKNOWN' }, []],
  ['a first rating', { quality: 'UNKNOWN' }, { quality: 'GREEN' }, []],
  ['the same limit in a different format', { limit: 'TIER_2K' }, { limit: '2000' }, []],
  [
    'a lower limit',
    { limit: 'TIER_UNLIMITED' },
    { limit: 'TIER_2K' },
    [['limit_changed', 'Recipients per day: 2,000 (was unlimited).', true]],
  ],
  [
    'a higher limit',
    { limit: 'TIER_250' },
    { limit: 'TIER_2K' },
    [['limit_changed', 'Recipients per day: 2,000 (was 250).', false]],
  ],
  ['a ban', { ban: 'REINSTATE' }, { ban: 'DISABLE' }, [['restricted', 'Ban: disable.', true]]],
  ['a reinstatement', { ban: 'DISABLE' }, { ban: 'REINSTATE' }, []],
  ['no change', { quality: 'RED', ban: 'DISABLE' }, { quality: 'RED', ban: 'DISABLE' }, []],
])('stateChanges reports the expected changes for %s', (_, before, after, expected) => {
  const changes = stateChanges(
    before as Parameters<typeof stateChanges>[0],
    after as Parameters<typeof stateChanges>[1],
  );
  expect(changes.map(({ kind, text, bad }) => [kind, text, bad])).toEqual(expected);
});
