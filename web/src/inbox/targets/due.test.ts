import { expect, test } from 'vitest';
import { dueText, isSoon, listDue } from './due.ts';

const NOW = Date.UTC(2026, 0, 1, 12);
const list = (response_due: string | null, resolution_due: string | null) =>
  listDue({ clocks: { response_due, resolution_due, paused: false } }, NOW);

test('the next due target is shown first, with the time until or since it was due', () => {
  const rows = list('2026-01-01 12:12:00', '2026-01-01 11:00:00');
  expect(rows.map((row) => dueText(row, false))).toEqual(['Resolution overdue by 1 h', 'First response due in 12 min']);
  expect(rows.map((row) => dueText(row, true))).toEqual(['Overdue', 'Due 12 min']);
  expect(list(null, '2026-01-05 12:00:00').map((row) => [dueText(row, false), isSoon(row)])).toEqual([
    ['Resolution due in 4 days', false],
  ]);
});

test('a conversation without clocks, or with paused ones, has nothing due', () => {
  expect(listDue({ clocks: null }, NOW)).toEqual([]);
  expect(list(null, null)).toEqual([]);
});
