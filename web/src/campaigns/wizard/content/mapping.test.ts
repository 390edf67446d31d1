import { findPlaceholders } from '@parley/contract/templates/placeholders.ts';
import { expect, test } from 'vitest';
import { FIXED, readMapping, writeMapping } from './mapping.ts';

const [field, other] = findPlaceholders('{first_name:friend} {day}') as [never, never];

test('a placeholder with the name of a field is mapped to that field when nothing was chosen', () => {
  expect(readMapping('', field)).toEqual({ source: 'first_name', text: 'friend' });
  expect(readMapping('', other)).toEqual({ source: '', text: '' });
});

test('a mapping stays the same when it is written and read', () => {
  for (const mapping of [
    { source: 'custom1', text: '' },
    { source: 'custom1', text: 'any day' },
    { source: FIXED, text: 'Monday' },
    { source: FIXED, text: '' },
  ])
    expect(readMapping(writeMapping(mapping), other)).toEqual(mapping);
});

test('the default of a field contains no braces', () => {
  expect(writeMapping({ source: 'custom1', text: '{any} day' })).toBe('{custom1:any day}');
});
