/** The events about reviews. Apart from message_reviews.ts, because every page listens to them. */
import { z } from 'zod';
import { event } from '../event.ts';

/** For operators: the queue has changed. */
export const messageReviewsChanged = event({
  id: 'message_reviews.changed',
  modules: ['message_reviews', 'content_rules'],
  needs: 'MESSAGES:view',
  /** The number of newly held messages; zero if messages were decided. */
  payload: z.object({ held: z.int() }),
});

export const RejectedMessages = z.object({ count: z.int(), reason: z.string(), message_ids: z.array(z.string()) });
export type RejectedMessages = z.output<typeof RejectedMessages>;

const HeldMessages = z.object({
  count: z.int(),
  campaign_id: z.string().nullable(),
  message_ids: z.array(z.string()),
});
export type HeldMessages = z.output<typeof HeldMessages>;

/** For the account: messages are awaiting review by an operator. */
export const messagesHeld = event({
  id: 'messages.held_for_review',
  modules: ['messages'],
  needs: 'MESSAGES:view',
  payload: HeldMessages,
});

/** For the account: operators have rejected messages. */
export const messagesRejected = event({
  id: 'messages.rejected_in_review',
  modules: ['messages'],
  needs: 'MESSAGES:view',
  payload: RejectedMessages,
});
