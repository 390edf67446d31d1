import { type Assignment, assignmentNote } from '@parley/contract/inbox/assignments.ts';
import type { ConversationMessage } from '@parley/contract/inbox/inbox.ts';
import { expect, test } from 'vitest';
import { toRows } from './rows.ts';

const message = (id: string, create_date: string, over: Partial<ConversationMessage> = {}) =>
  ({ id, create_date, direction: 'MO', channel: 'SMS', status: 'received', text: id, ...over }) as ConversationMessage;

const read = (messages: ConversationMessage[], readUntil = Number.POSITIVE_INFINITY, assignments: Assignment[] = []) =>
  toRows({ messages, assignments, entries: [], drafts: [] }, 'Europe/Berlin', readUntil).map((row) =>
    row.kind === 'message' ? [row.key, row.day, row.isNew, row.continues, row.ends] : [row.key, row.kind],
  );

test('a thread groups messages by author, minute, and status', () => {
  const mine = { direction: 'MT', user_id: 'u', source: 'inbox', status: 'sent' } as const;
  expect(
    read([
      message('a', '2026-03-02 10:00:01'),
      message('b', '2026-03-02 10:00:59'),
      message('c', '2026-03-02 10:01:00'),
      message('d', '2026-03-02 10:01:10', mine),
      message('e', '2026-03-02 10:01:20', mine),
      message('f', '2026-03-02 10:01:30', { ...mine, status: 'failed' }),
      message('g', '2026-03-02 10:01:40', { ...mine, status: 'failed', user_id: 'other' }),
    ]).map((row) => [row[0], row[3], row[4]]),
  ).toEqual([
    ['a', false, false],
    ['b', true, true],
    ['c', false, true],
    ['d', false, false],
    ['e', true, true],
    ['f', false, true],
    ['g', false, true],
  ]);
});

test('a thread names each day of the zone once and divides new messages from read ones', () => {
  const rows = read(
    [
      message('a', '2020-03-01 22:59:50'),
      message('b', '2020-03-01 23:00:10'),
      message('c', '2020-03-01 23:00:20'),
      message('d', '2020-03-01 23:00:30'),
    ],
    Date.parse('2020-03-01T23:00:15Z'),
  );
  expect(rows).toEqual([
    ['a', '01 March', false, false, true],
    ['b', '02 March', false, false, true],
    ['c', null, true, false, false],
    ['d', null, false, true, true],
  ]);
});

const ANN = { id: 'u1', full_name: 'Ann' };
const BOB = { id: 'u2', full_name: 'Bob' };

test('an assignment stands between the messages of its time and ends their group', () => {
  const assignment = (id: string, timestamp: string) =>
    ({ id, timestamp, from: null, to: ANN, by: null, seen_by_assignee: false }) as unknown as Assignment;
  const rows = read(
    [message('a', '2026-03-02 10:00:01'), message('b', '2026-03-02 10:00:30')],
    Number.POSITIVE_INFINITY,
    [assignment('n1', '2026-03-02 10:00:20'), assignment('n2', '2026-03-02 10:00:40')],
  );
  expect(rows.map(([key, , , continues]) => [key, continues])).toEqual([
    ['a', false],
    ['n1', undefined],
    ['b', false],
    ['n2', undefined],
  ]);
});

test('the note of an assignment names the users before and after', () => {
  expect(assignmentNote({ from: null, to: ANN })).toBe('Conversation is assigned to Ann');
  expect(assignmentNote({ from: ANN, to: BOB })).toBe('Conversation is reassigned from Ann to Bob');
  expect(assignmentNote({ from: ANN, to: null })).toBe('Conversation is unassigned from Ann');
});
