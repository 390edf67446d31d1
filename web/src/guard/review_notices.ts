/** Notifications in the bell about messages that wait for review, and about messages that were rejected. */
import type { RejectedMessages } from '@parley/contract/guard/review_events.ts';
import { addNotice } from '../kernel/notices.ts';
import { messagePath, REVIEWS } from '../paths.ts';
import { formatCount } from '../ui/data/format.ts';

/** A later notification replaces an earlier one, however many messages are held. */
export function reportHeld(): void {
  addNotice({
    id: 'reviews',
    title: 'Messages are waiting for review',
    text: 'Content rules have held new messages.',
    tone: 'wait',
    path: REVIEWS,
  });
}

export function reportRejected({ count, reason, message_ids }: RejectedMessages): void {
  addNotice({
    id: `rejected.${message_ids[0]}`,
    title: `${formatCount(count, 'message')} rejected in review`,
    text: reason,
    tone: 'fail',
    path: messagePath(message_ids[0]!),
  });
}
