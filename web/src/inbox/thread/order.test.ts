import { expect, test } from 'vitest';
import { inShownOrder, isUndoWait, shownAt } from './order.ts';

const message = (id: string, create_date: string, fields: object = {}) => ({
  id,
  create_date: `2030-01-01 ${create_date}`,
  schedule: null as string | null,
  status: 'delivered' as const,
  source: 'inbox' as const,
  ...fields,
});
const at = (time: string) => `2030-01-01 ${time}`;

test('scheduled messages appear where they were sent, and waiting messages at the end', () => {
  const later = message('later', '09:00:00', { schedule: at('18:00:00'), status: 'scheduled' });
  const sent = message('sent', '09:01:00', { schedule: at('11:00:00') });
  const plain = message('plain', '10:00:00');
  const soon = message('soon', '12:00:00', { schedule: at('12:00:05'), status: 'scheduled' });
  expect(inShownOrder([later, sent, plain, soon]).map(({ id }) => id)).toEqual(['plain', 'sent', 'soon', 'later']);
  expect([shownAt(later), shownAt(plain), shownAt(soon)]).toEqual([at('18:00:00'), at('10:00:00'), at('12:00:00')]);
});

test('an undone message disappears, and a canceled scheduled message remains', () => {
  const undone = message('undone', '09:00:00', { schedule: at('09:00:05'), status: 'canceled' });
  const canceled = message('canceled', '09:00:00', { schedule: at('15:00:00'), status: 'canceled' });
  expect(isUndoWait(undone)).toBe(true);
  expect(inShownOrder([undone, canceled]).map(({ id }) => id)).toEqual(['canceled']);
});
