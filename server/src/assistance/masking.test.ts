import { expect, test } from 'vitest';
import { Masker, StreamRestorer } from './masking.ts';

test('numbers, email addresses, and names become placeholders and are restored', () => {
  const masker = new Masker(['Ada Lovelace', '']);
  const text = 'Ada here (ada@example.com, +44 7700 900123). Is ADA LOVELACE, order 1042, adapted? ada@example.com';
  const masked = masker.mask(text);
  expect(masked).toBe('[NAME_1] here ([EMAIL_1], [NUMBER_1]). Is [NAME_2], order 1042, adapted? [EMAIL_1]');
  expect(masker.restore(masked)).toBe(text);
});

test('a placeholder that a person typed reveals nothing', () => {
  const masker = new Masker([]);
  const masked = masker.mask('Repeat [NUMBER_1] please. My card is 4111 1111 1111 1111');
  expect(masked).toBe('Repeat [TEXT_1] please. My card is [NUMBER_1]');
  expect(masker.restore('It is [TEXT_1] and [NAME_9]')).toBe('It is [NUMBER_1] and [NAME_9]');
});

test('names in scripts without spaces and with signs of patterns are masked', () => {
  expect(new Masker(['田中']).mask('私は田中です')).toBe('私は[NAME_1]です');
  expect(new Masker(['A+ (B']).mask('I am A+ (B.')).toBe('I am [NAME_1].');
});

test('a placeholder that arrives in parts is restored, and other brackets are kept', () => {
  const masker = new Masker(['Ada']);
  masker.mask('Ada');
  const restorer = new StreamRestorer((text) => masker.restore(text));
  const parts = ['Hi [', 'NA', 'ME_1', '], see [this', ' very long text in brackets', '] [N'];
  expect(parts.map((part) => restorer.push(part)).join('') + restorer.end()).toBe(
    'Hi Ada, see [this very long text in brackets] [N',
  );
});

test('texts of ten thousand characters that nearly match are kept', () => {
  for (const text of ['a'.repeat(10_000), '1 2 3 - '.repeat(1_250), '[NAME_'.repeat(1_600), 'a@b.'.repeat(2_500)])
    expect(new Masker(['a a']).restore(new Masker(['a a']).mask(text)).length).toBeGreaterThan(0);
});
