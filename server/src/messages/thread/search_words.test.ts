import { expect, test } from 'vitest';
import { blockWords, readQuery, searchText, snippet } from './search_words.ts';

const matches = (text: string, query: string): boolean => {
  const stored = searchText(text);
  const { patterns, prefixes } = readQuery(query)!;
  const words = blockWords(stored);
  const isInBlock = prefixes.every((prefix) => words.some((word) => word.startsWith(prefix)));
  const isInText = patterns.every((pattern) => stored.includes(pattern.slice(1, -1)));
  // A block must never hide a text.
  expect(isInBlock || !isInText).toBe(true);
  return isInText;
};

test.each([
  ['Where is my Bestellung?', 'bestell where'],
  ['Café déjà vu', 'cafe DEJA'],
  ['Cafe', 'café'],
  ['ＦＵＬＬ width', 'full'],
  ['وصلتني الطَّلَبِيَّة أمس', 'الطلبية'],
  ['我的订单在哪里', '订单'],
  ['我的订单在哪里', '里'],
  ['注文はどこですか', 'どこ'],
  ['สั่งซื้อสินค้า', 'ซื้อ'],
  ['Thanks 👍🏽!', '👍'],
  ['We are 👨‍👩‍👧', '👨‍👩‍👧'],
  ['Flag 🇩🇪🇫🇷', '🇫🇷'],
  ['Order no. 4711-B', '4711'],
  ['zero\u200bwidth \u202eright\u202c', 'zerowidth right'],
  [`long ${'x'.repeat(10_000)}`, 'x'.repeat(90)],
])('%s is found by %s', (text, query) => {
  expect(matches(text, query)).toBe(true);
});

test.each([
  ['Rebuild', 'build'],
  ['我的订单', '单订'],
  ['Thanks 👍', '👎'],
])('%s is not found by %s', (text, query) => {
  expect(matches(text, query)).toBe(false);
});

test('punctuation alone is no query', () => {
  expect(readQuery('?! --')).toBeNull();
  expect(searchText('...')).toBe('');
});

test('a snippet marks the matching words and keeps the text as it was written', () => {
  const text = `${'Good morning, '.repeat(20)}I paid for the Café order 👍🏽 twice. ${'Bye. '.repeat(60)}`;
  const parts = snippet(text, readQuery('cafe 👍')!);
  expect(parts.filter(({ match }) => match).map((part) => part.text)).toEqual(['Café', '👍']);
  expect(parts[0]!.text).toBe('…');
  expect(text).toContain(
    parts
      .slice(1)
      .map((part) => part.text)
      .join('')
      .replace(/…$/, ''),
  );
  expect(snippet('我的订单在哪里', readQuery('订单')!)).toEqual([
    { text: '我的', match: false },
    { text: '订单', match: true },
    { text: '在哪里', match: false },
  ]);
});
