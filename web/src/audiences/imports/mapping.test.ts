import { expect, test } from 'vitest';
import { assign, contactOf, fieldOf, guessed, type Mapping } from './mapping.ts';

const start: Mapping = { number: 0, first_name: 1 };

test('a field has one column and a column one field', () => {
  expect(assign(start, 2, 'last_name')).toEqual({ number: 0, first_name: 1, last_name: 2 });
  expect(assign(start, 2, 'first_name')).toEqual({ number: 0, first_name: 2 });
  expect(assign(start, 1, 'number')).toEqual({ number: 1 });
  expect(assign(start, 1, null)).toEqual({ number: 0 });
  expect(assign(start, 5, null)).toEqual(start);
});

test('what a column becomes, and what a row makes', () => {
  expect([fieldOf(start, 0), fieldOf(start, 1), fieldOf(start, 2)]).toEqual(['number', 'first_name', null]);
  expect(contactOf({ number: 1, custom2: 4 }, ['Ann', '+1'])).toEqual({
    number: '+1',
    first_name: '',
    last_name: '',
    custom1: '',
    custom2: '',
  });
});

test('the guesses of the server are the first mapping', () => {
  expect(guessed([{ guess: null }, { guess: 'number' }, { guess: 'last_name' }])).toEqual({ number: 1, last_name: 2 });
  expect(guessed([])).toEqual({});
});
