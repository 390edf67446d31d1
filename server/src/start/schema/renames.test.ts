import { expect, test } from 'vitest';
import { applyRenames } from './renames.ts';

test('a renamed table, column, or index keeps its comment', () => {
  const remarks = new Map([
    ['section calls', ['Calls']],
    ['calls', ['The calls.']],
    ['calls.line', ['The line.']],
    ['calls_line', ['By line.']],
    ['calls_other.line', ['Another table.']],
  ]);
  applyRenames(
    `alter table calls rename to binds;
alter table binds rename column line to slot;
alter index calls_line rename to binds_slot;
alter table binds rename column without_comment to other;`,
    remarks,
  );
  expect(Object.fromEntries(remarks)).toEqual({
    'section binds': ['Calls'],
    binds: ['The calls.'],
    'binds.slot': ['The line.'],
    binds_slot: ['By line.'],
    'calls_other.line': ['Another table.'],
  });
});
