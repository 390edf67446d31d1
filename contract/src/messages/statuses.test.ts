import { expect, test } from 'vitest';
import { LOG_WORDS, MESSAGE_GROUPS, MESSAGE_STATUS, STATUSES, statusesFound, UNDELIVERED } from './statuses.ts';

/** The specification's set of statuses for the message log. */
const SPECIFIED = ['undelivered', 'blocked', 'delivered', 'answered', 'read', 'pending', 'failed'];

test('the message log offers every specified word', () => {
  expect(LOG_WORDS.map(({ value }) => value)).toEqual(expect.arrayContaining(SPECIFIED));
});

test('the groups contain every status once', () => {
  const grouped = LOG_WORDS.filter(({ nested }) => !nested).flatMap(({ statuses }) => statuses);
  expect(grouped.toSorted()).toEqual(STATUSES.toSorted());
});

test('a label belongs to one word of the log', () => {
  const labels = LOG_WORDS.map(({ label }) => label);
  expect(new Set(labels).size).toBe(labels.length);
});

test('a status and a group have the same label only if one contains the other', () => {
  for (const status of STATUSES)
    for (const [group, { label }] of Object.entries(MESSAGE_GROUPS))
      if (label === MESSAGE_STATUS[status].label) expect(MESSAGE_STATUS[status].group).toBe(group);
});

test('"failed" finds failed messages, and "undelivered" finds all messages that did not arrive', () => {
  expect(statusesFound(['failed'])).toEqual(['failed']);
  expect(statusesFound(['undelivered'])).toEqual(UNDELIVERED);
  expect(statusesFound(['delivered', 'read'])).toEqual(['delivered', 'read']);
  expect(statusesFound(['unknown'])).toEqual([]);
});

test('a final status is replaced only by a delivery receipt', () => {
  for (const status of STATUSES) expect(MESSAGE_STATUS[status].final).toBe(MESSAGE_STATUS[status].rank >= 3);
});
