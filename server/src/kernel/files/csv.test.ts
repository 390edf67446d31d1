import { expect, test } from 'vitest';
import { csvCell, csvLine } from './csv.ts';

test.each([
  ['a phone number keeps its plus sign', '+15551234567', '+15551234567'],
  ['a phone number keeps its spacing', '+1 (202) 555-0123', '+1 (202) 555-0123'],
  ['a negative number is not escaped', '-12.50', '-12.50'],
  ['a formula is escaped', '=HYPERLINK("x")', '"\'=HYPERLINK(""x"")"'],
  ['a formula after a space is escaped', ' =1+1', "' =1+1"],
  ['a formula on the second line is escaped', 'ok\n=cmd()', '"ok\n\'=cmd()"'],
  ['a formula after a semicolon is escaped, because some locales split at it', 'ok;=cmd()', '"ok;\'=cmd()"'],
  ['a formula after a comma is escaped', 'ok, @SUM(A1)', '"ok,\' @SUM(A1)"'],
  ['a formula after a tab is escaped', 'ok\t+cmd', '"ok\t\'+cmd"'],
  ['a formula after a quotation mark is escaped', 'ok;"=cmd()', '"ok;\'""=cmd()"'],
  ['a full-width formula is escaped', '\uff1dcmd()', "'\uff1dcmd()"],
  ['a text that begins with a tab is escaped', '\tcmd', '"\'\tcmd"'],
  ['a text that begins with a carriage return is escaped', '\rcmd', '"\'\rcmd"'],
  ['negative numbers in a list are not escaped', '-1, -2', '"-1, -2"'],
  ['an emoji is not changed', 'Hi \u{1f44b}', 'Hi \u{1f44b}'],
  ['a formula that starts with an at sign is escaped', '@SUM(A1)', "'@SUM(A1)"],
  ['a plus sign before letters is escaped', '+cmd', "'+cmd"],
  ['a minus sign alone is escaped', '-', "'-"],
  ['a cell with a vertical bar is quoted, because some programs split at it', 'a|b', '"a|b"'],
  ['a cell with a comma is quoted', 'Hart, Amelia', '"Hart, Amelia"'],
  ['a quotation mark is doubled', 'the "best"', '"the ""best"""'],
  ['null becomes an empty cell', null, ''],
])('%s', (_, value, cell) => expect(csvCell(value)).toBe(cell));

test('a long cell is processed in linear time', () => {
  // This would take minutes if a pattern backtracked.
  for (const piece of ['\n', '1', ' ', '\t', '+']) expect(csvCell(`${piece.repeat(1_000_000)}x`)).toContain('x');
});

test('a line ends with a carriage return and a line feed', () => expect(csvLine(['a', 1, null])).toBe('a,1,\r\n'));
