/** When messages of a thread are shown: scheduled messages at their time, and waiting messages at the end. */
import type { ConversationMessage } from '@parley/contract/inbox/inbox.ts';
import { MAX_UNDO_SECONDS } from '@parley/contract/messages/undo.ts';
import { instant } from '../../ui/data/format.ts';

type Timed = Pick<ConversationMessage, 'schedule' | 'create_date' | 'status' | 'source'>;

/** True if a message waits only to give its author time to undo it. */
export const isUndoWait = ({ schedule, create_date, source }: Timed): boolean =>
  Boolean(schedule) &&
  source === 'inbox' &&
  instant(schedule!).getTime() - instant(create_date).getTime() <= (MAX_UNDO_SECONDS + 1) * 1_000;

const wasUndone = (message: Timed): boolean => message.status === 'canceled' && isUndoWait(message);

/** The time that a message shows: when it was sent, or will be sent. */
export const shownAt = (message: Timed): string =>
  message.schedule && message.status !== 'canceled' && !isUndoWait(message) ? message.schedule : message.create_date;

/** Oldest first. Messages that were undone are left out. */
export function inShownOrder<T extends Timed>(messages: T[]): T[] {
  if (messages.every(({ schedule }) => !schedule)) return messages;
  const sent = messages.filter((message) => message.status !== 'scheduled' && !wasUndone(message));
  const waiting = messages.filter(({ status }) => status === 'scheduled');
  const byTime = (a: T, b: T) => (shownAt(a) < shownAt(b) ? -1 : shownAt(a) > shownAt(b) ? 1 : 0);
  return [...sent.sort(byTime), ...waiting.sort(byTime)];
}
