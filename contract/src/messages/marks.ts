/** Later changes to a message, and the ad or post that led to an inbound message. Null for most messages. */
import { z } from 'zod';
import { timestamp } from '../common.ts';

/** The ad or post that prompted a person to send a message. */
export const Referral = z.object({
  source_type: z.string(),
  source_id: z.string(),
  source_url: z.string(),
  headline: z.string(),
  body: z.string(),
  /** The click ID of the ad. */
  click_id: z.string(),
});
export type Referral = z.output<typeof Referral>;

export const Marks = z.object({
  /** The earlier texts, oldest first, with the time when each was replaced. */
  edits: z.array(z.object({ text: z.string(), at: timestamp })).optional(),
  /** The time when the message was deleted. Its text and file are also deleted. */
  deleted: timestamp.optional(),
  /** True if the message was deleted because the person was erased. */
  erased: z.boolean().optional(),
  /** At most one reaction by the contact and one by the business. */
  reactions: z
    .array(
      z.object({
        by: z.enum(['contact', 'business']),
        /** Empty if the reaction was removed. */
        emoji: z.string(),
        at: timestamp,
        /** Set until the carrier has accepted a reaction by the business. */
        waiting: z.literal(true).optional(),
        /** Why the carrier refused a reaction by the business. */
        refusal: z.string().optional(),
      }),
    )
    .optional(),
  referral: Referral.optional(),
  /** The type and the content, as the carrier sent it, of a message whose type is unknown to Parley. */
  unknown: z.object({ type: z.string(), content: z.string() }).optional(),
  /** Set on the note about the contact's new number. */
  number_change: z.object({ from: z.string(), to: z.string() }).optional(),
  /** The review by operators. `waiting` applies while the message is scheduled or en route. */
  review: z.enum(['waiting', 'released', 'rejected']).optional(),
});
export type Marks = z.output<typeof Marks>;

export const DELETED_TEXT = 'Deleted message';
