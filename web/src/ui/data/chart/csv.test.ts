import { expect, test } from 'vitest';
import { toCsv } from './csv.ts';

test('a CSV file quotes special characters and escapes formulas', () => {
  const columns = [
    { key: 'day', label: 'Day' },
    { key: 'n', label: 'Sent, all' },
  ];
  expect(
    toCsv(columns, [
      { day: '=1+1', n: 5 },
      { day: 'a "b"', n: null },
    ]),
  ).toBe('Day,"Sent, all"\r\n\'=1+1,5\r\n"a ""b""",\r\n');
});
