import { expect, test } from 'vitest';
import { csvCell, csvLine } from './csv.ts';

test.each([
  ['a phone number keeps its plus', '+15551234567', '+15551234567'],
  ['a phone number keeps any spacing', '+1 (202) 555-0123', '+1 (202) 555-0123'],
  ['a negative number is a number', '-12.50', '-12.50'],
  ['a formula is quoted', '=HYPERLINK("x")', '"\'=HYPERLINK(""x"")"'],
  ['a formula after a space is quoted', ' =1+1', "' =1+1"],
  ['a formula in a second line is quoted', 'ok\n=cmd()', '"\'ok\n=cmd()"'],
  ['a formula with another first character is quoted', '@SUM(A1)', "'@SUM(A1)"],
  ['a plus before letters is not a number', '+cmd', "'+cmd"],
  ['a sign alone is not a number', '-', "'-"],
  ['a bar needs quotes, because some programs split at it', 'a|b', '"a|b"'],
  ['a comma needs quotes', 'Hart, Amelia', '"Hart, Amelia"'],
  ['a quote is doubled', 'the "best"', '"the ""best"""'],
  ['null is an empty cell', null, ''],
])('%s', (_, value, cell) => expect(csvCell(value)).toBe(cell));

test('a cell of any length is read once', () => {
  // This would take minutes if a pattern backtracked.
  for (const piece of ['\n', '1', ' ', '\t', '+']) expect(csvCell(`${piece.repeat(1_000_000)}x`)).toContain('x');
});

test('a line ends with a carriage return and a line feed', () => expect(csvLine(['a', 1, null])).toBe('a,1,\r\n'));
