/** The rows of a thread, top to bottom: its beginning, days, the divider, messages, and drafts. */
import type { ConversationMessage } from '@parley/contract/inbox/inbox.ts';
import { dayKey, formatDay, instant } from '../../ui/data/format.ts';
import type { Draft } from './drafts.ts';
import type { Thread } from './thread.ts';

export type Row =
  | { kind: 'start'; key: string }
  | { kind: 'day'; key: string; label: string }
  | { kind: 'new'; key: string }
  | { kind: 'message'; key: string; message: ConversationMessage }
  | { kind: 'draft'; key: string; draft: Draft };

/** Inbound messages after `readUntil` are new. Infinity means that there are no new messages. */
export function toRows(
  thread: Pick<Thread, 'messages' | 'drafts' | 'hasOlder' | 'loading'>,
  zone: string,
  readUntil: number,
): Row[] {
  const rows: Row[] = [];
  if (!thread.hasOlder && !thread.loading) rows.push({ kind: 'start', key: 'start' });
  let day = '';
  let marked = false;
  for (const message of thread.messages) {
    const key = dayKey(message.create_date, zone);
    if (key !== day) {
      day = key;
      rows.push({ kind: 'day', key: `day ${key}`, label: formatDay(message.create_date, zone) });
    }
    if (!marked && message.direction === 'MO' && instant(message.create_date).getTime() > readUntil) {
      marked = true;
      rows.push({ kind: 'new', key: 'new' });
    }
    rows.push({ kind: 'message', key: message.id, message });
  }
  for (const draft of thread.drafts) rows.push({ kind: 'draft', key: draft.key, draft });
  return rows;
}
