import { expect, test } from 'vitest';
import { csvCell, csvLine } from './csv.ts';

test.each([
  ['a phone number keeps its plus', '+15551234567', '+15551234567'],
  ['a negative number is a number', '-12.50', '-12.50'],
  ['a formula is made plain', '=HYPERLINK("x")', '"\'=HYPERLINK(""x"")"'],
  ['also behind a space', ' =1+1', "' =1+1"],
  ['also in a second line', 'ok\n=cmd()', '"\'ok\n=cmd()"'],
  ['and with other beginnings', '@SUM(A1)', "'@SUM(A1)"],
  ['a plus before words is not a number', '+cmd', "'+cmd"],
  ['a comma needs quotes', 'Hart, Amelia', '"Hart, Amelia"'],
  ['a quote is doubled', 'the "best"', '"the ""best"""'],
  ['nothing is nothing', null, ''],
])('%s', (_, value, cell) => expect(csvCell(value)).toBe(cell));

test('a line ends as the standard says', () => expect(csvLine(['a', 1, null])).toBe('a,1,\r\n'));
