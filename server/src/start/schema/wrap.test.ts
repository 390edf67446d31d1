import { expect, test } from 'vitest';
import { wrapLines } from './wrap.ts';

const COLUMNS = Array.from({ length: 12 }, (_, index) => `column_${index}`).join(', ');

test('a long index definition is wrapped before its condition', () => {
  const [condition, index] = [
    "where status = 'waiting' and delete_date is null",
    `create index i on t (${COLUMNS.slice(0, 80)})`,
  ];
  expect(wrapLines(`${index} ${condition};`)).toBe(`${index}\n  ${condition};`);
});

test('a long line without keywords is wrapped at the last space that fits', () => {
  const lines = wrapLines(`  values (${COLUMNS}, ${COLUMNS})`).split('\n');
  expect(lines.map((line) => line.length > 120)).toEqual([false, false, false]);
  expect(lines.map((line) => /^ */.exec(line)![0].length)).toEqual([2, 4, 4]);
});

test('quoted strings, function bodies, and comments are not wrapped', () => {
  const quote = `'${'a b '.repeat(40)}'`;
  const body = `as $$\n  select ${COLUMNS}, ${COLUMNS}\n$$;`;
  const comment = `-- ${'a b '.repeat(40)}`;
  expect(wrapLines(`select ${quote};\n${body}\n${comment}`)).toBe(`select\n  ${quote};\n${body}\n${comment}`);
});
