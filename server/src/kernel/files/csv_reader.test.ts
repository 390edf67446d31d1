import { expect, test } from 'vitest';
import { csvLine } from './csv.ts';
import { readCsv } from './csv_reader.ts';

test.each([
  [
    'commas',
    'a,b\n1,2\n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'semicolons and a byte order mark',
    '\uFEFFa;b\r\n1;2,5\r\n',
    [
      ['a', 'b'],
      ['1', '2,5'],
    ],
  ],
  [
    'tabs',
    'a\tb\n1\t\n',
    [
      ['a', 'b'],
      ['1', ''],
    ],
  ],
  [
    'quotes, delimiters, and line breaks in a cell',
    'a,b\n"x, ""y""\nz",2',
    [
      ['a', 'b'],
      ['x, "y"\nz', '2'],
    ],
  ],
  [
    'blank lines',
    'a,b\n\n , \n1,2\n\n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  ['nothing', '', []],
])('a file with %s is read', (_, text, cells) => {
  expect(readCsv(text)?.map((row) => row.cells)).toEqual(cells);
});

test('a row keeps its line number after a cell with line breaks', () => {
  expect(readCsv('a\n"1\n2"\n3\n')?.map((row) => row.line)).toEqual([1, 2, 4]);
});

test.each(['a,b\n"open', 'a\n"x"y\n'])('a file with a broken quote is refused: %j', (text) => {
  expect(readCsv(text)).toBeNull();
});

test('a written row is read back', () => {
  const cells = ['SMS', '', 'a "b", c', '0.0425'];
  expect(readCsv(csvLine(['w', 'x', 'y', 'z']) + csvLine(cells))?.[1]?.cells).toEqual(cells);
});
