import { expect, test } from 'vitest';
import { matchText } from './fuzzy.ts';

const marked = (query: string, label: string, keywords = '') => {
  const match = matchText(query, label, keywords);
  return match && Array.from(label, (char, at) => (match.positions.has(at) ? char.toUpperCase() : char)).join('');
};

test.each([
  ['camp', 'create campaign', 'create CAMPaign'],
  ['crcam', 'create campaign', 'CReate CAMpaign'],
  ['camp create', 'create campaign', 'CREATE CAMPaign'],
  ['ÜBER', 'uber preise', 'UBER preise'],
  ['senor', 'señor lópez', 'SEÑOR lópez'],
  ['xyz', 'create campaign', null],
  // Scattered letters are a coincidence.
  ['cst', 'create some other text', null],
  ['ct', 'create', null],
])('the query "%s" matches "%s" as %s', (query, label, expected) => {
  expect(marked(query, label)).toBe(expected);
});

test('a match in the keywords highlights nothing', () => {
  expect(marked('csv', 'create audience', 'import csv')).toBe('create audience');
});

test('a match at the start ranks before one at the start of a word, which ranks before one inside a word', () => {
  const score = (label: string) => matchText('send', label)?.score ?? 0;
  expect(score('senders')).toBeGreaterThan(score('buy sender'));
  expect(score('buy sender')).toBeGreaterThan(score('resend'));
  expect(score('senders')).toBeGreaterThan(score('senders and numbers'));
});
