/** Several numbers behind one sender: campaigns and conversations name the sender, each person keeps the number they know. */
import { z } from 'zod';
import { idParams, range, uuid } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { SENDER_STATUSES, SENDER_TYPES } from './senders.ts';

export const MAX_MEMBERS = 200;
/** What can stand behind a sender, and what others can stand behind. */
export const MEMBER_TYPES: readonly string[] = ['local', 'mobile', 'toll_free'];

export const SenderMember = z.object({
  sender_id: z.string(),
  name: z.string(),
  code: z.string(),
  type: z.enum(SENDER_TYPES),
  status: z.enum(SENDER_STATUSES),
  /** Whose people it suits best; null: of no country. */
  country: z.string().nullable(),
  /** ISO codes it may be used in; empty means every country. */
  countries: z.array(z.string()),
  /** Of two that suit alike, one of weight 2 gets twice the people of one of weight 1. */
  weight: z.int(),
  /** The number of the sender itself. */
  own: z.boolean(),
  /** Of the last 30 days, since several numbers stand behind the sender. */
  messages_30_days: z.int(),
  /** Of all messages of these 30 days that left by this sender: 0 to 1. */
  share: z.number(),
});
export type SenderMember = z.output<typeof SenderMember>;

export const listSenderMembers = endpoint({
  id: 'senders.list_members',
  method: 'GET',
  path: '/v1/senders/{id}/members',
  summary: 'Numbers behind a sender, its own first; none while it stands alone',
  needs: 'SENDERS:view',
  params: idParams('SENDER_NOT_FOUND'),
  output: z.array(SenderMember),
  problems: ['SENDER_NOT_FOUND'],
});

export const putSenderMembers = endpoint({
  id: 'senders.put_members',
  method: 'PUT',
  path: '/v1/senders/{id}/members',
  summary: 'Say which numbers stand behind a sender: the whole list; an empty one makes it stand alone again',
  needs: 'SENDERS:add',
  verified: true,
  params: idParams('SENDER_NOT_FOUND'),
  body: z.object({
    members: z
      .array(
        z.object({
          /** The sender itself may be among them, for its weight; it counts among its numbers in any case. */
          sender_id: uuid('SENDER_NOT_FOUND'),
          /** What it was, or 1. */
          weight: range(1, 100).optional(),
        }),
      )
      .max(MAX_MEMBERS),
  }),
  output: z.array(SenderMember),
  problems: [
    'SENDER_NOT_FOUND',
    'POOL_MEMBER_NOT_A_NUMBER',
    'POOL_MEMBER_NOT_READY',
    'POOL_MEMBER_IN_USE',
    'POOL_MEMBER_HAS_POOL',
    'ACCOUNT_UNVERIFIED',
  ],
});
