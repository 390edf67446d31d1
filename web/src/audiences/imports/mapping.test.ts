import { expect, test } from 'vitest';
import { assign, columnField, guessMapping, hasAddress, type Mapping, targets, toContact } from './mapping.ts';

const start: Mapping = { number: 0, first_name: 1 };

test('a mapping assigns at most one column to each field and one field to each column', () => {
  expect(assign(start, 2, 'last_name')).toEqual({ number: 0, first_name: 1, last_name: 2 });
  expect(assign(start, 2, 'first_name')).toEqual({ number: 0, first_name: 2 });
  expect(assign(start, 1, 'number')).toEqual({ number: 1 });
  expect(assign(start, 1, null)).toEqual({ number: 0 });
  expect(assign(start, 5, null)).toEqual(start);
});

test('a mapping finds the field for a column and converts a row to a contact', () => {
  expect([columnField(start, 0), columnField(start, 1), columnField(start, 2)]).toEqual(['number', 'first_name', null]);
  expect(toContact({ number: 1, custom2: 4 }, ['Ann', '+1'])).toEqual({
    number: '+1',
    first_name: '',
    last_name: '',
    custom1: '',
    custom2: '',
  });
});

test('a mapping keeps IDs and own fields', () => {
  const own: Mapping = { viber_id: 0, 'fields.city': 1 };
  expect(assign(own, 2, 'fields.plan')).toEqual({ ...own, 'fields.plan': 2 });
  expect([columnField(own, 1), hasAddress(own), hasAddress({ 'fields.city': 1 })]).toEqual([
    'fields.city',
    true,
    false,
  ]);
  expect(targets([{ key: 'city', label: 'City' }]).map(({ label }) => label)).toEqual([
    ...['Number', 'First name', 'Last name', 'Custom 1', 'Custom 2', 'WhatsApp ID', 'Viber ID', 'City'],
  ]);
});

test('the initial mapping uses the server’s guesses', () => {
  expect(guessMapping([{ guess: null }, { guess: 'number' }, { guess: 'last_name' }])).toEqual({
    number: 1,
    last_name: 2,
  });
  expect(guessMapping([])).toEqual({});
});
