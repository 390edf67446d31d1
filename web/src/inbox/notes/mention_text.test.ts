import { expect, test } from 'vitest';
import { matchUsers, mentionedIds, splitMentions, typedMention } from './mention_text.ts';

const ANN = { id: 'a', full_name: 'Ann Lee', email: 'ann@example.com' };
const ANNA = { id: 'b', full_name: 'Ann Lee Smith', email: 'smith@example.com' };
const TWIN = { id: 'c', full_name: 'Ann Lee', email: 'twin@example.com' };

test('a note is split at its mentions, and the longer of two names counts', () => {
  const parts = splitMentions('Ask @Ann Lee Smith, @Ann Lee and a@Ann Lee or @Ann Leeds', [ANN, ANNA]);
  expect(parts.map(({ text, user }) => [text, user?.id ?? null])).toEqual([
    ['Ask ', null],
    ['@Ann Lee Smith', 'b'],
    [', ', null],
    ['@Ann Lee', 'a'],
    [' and a@Ann Lee or @Ann Leeds', null],
  ]);
  expect(splitMentions('', [ANN])).toEqual([]);
});

test('a name that two users have mentions only the chosen one', () => {
  const users = [ANN, ANNA, TWIN];
  expect(mentionedIds('@Ann Lee', users, new Set(['c']))).toEqual(['c']);
  expect(mentionedIds('@Ann Lee', users, new Set())).toEqual([]);
  expect(mentionedIds('@Ann Lee Smith', users, new Set())).toEqual(['b']);
  expect(mentionedIds('Ann Lee', users, new Set(['c']))).toEqual([]);
});

test('the list of users opens for the name before the caret', () => {
  expect(typedMention('Ask @an', 7)).toEqual({ at: 4, letters: 'an' });
  expect(typedMention('@Ann L', 6)).toEqual({ at: 0, letters: 'ann l' });
  expect(typedMention('@', 1)).toEqual({ at: 0, letters: '' });
  expect(typedMention('ann@example', 11)).toBeNull();
  expect(typedMention('Ask @an', 3)).toBeNull();
  expect(matchUsers([ANN, ANNA], 'smi')).toEqual([ANNA]);
  expect(matchUsers([ANN, ANNA], 'ann l')).toEqual([ANN, ANNA]);
});
