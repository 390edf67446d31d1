import { expect, test } from 'vitest';
import { csvCell, csvLine } from './csv.ts';

test.each([
  ['a phone number keeps its plus', '+15551234567', '+15551234567'],
  ['however it is spaced', '+1 (202) 555-0123', '+1 (202) 555-0123'],
  ['a negative number is a number', '-12.50', '-12.50'],
  ['a formula is made plain', '=HYPERLINK("x")', '"\'=HYPERLINK(""x"")"'],
  ['also behind a space', ' =1+1', "' =1+1"],
  ['also in a second line', 'ok\n=cmd()', '"\'ok\n=cmd()"'],
  ['and with other beginnings', '@SUM(A1)', "'@SUM(A1)"],
  ['a plus before words is not a number', '+cmd', "'+cmd"],
  ['a sign alone is not one either', '-', "'-"],
  ['a bar may separate somewhere', 'a|b', '"a|b"'],
  ['a comma needs quotes', 'Hart, Amelia', '"Hart, Amelia"'],
  ['a quote is doubled', 'the "best"', '"the ""best"""'],
  ['nothing is nothing', null, ''],
])('%s', (_, value, cell) => expect(csvCell(value)).toBe(cell));

test('a cell of any length is read once', () => {
  // Takes minutes if a pattern backtracks.
  for (const piece of ['\n', '1', ' ', '\t', '+']) expect(csvCell(`${piece.repeat(1_000_000)}x`)).toContain('x');
});

test('a line ends with a carriage return and a line feed', () => expect(csvLine(['a', 1, null])).toBe('a,1,\r\n'));
