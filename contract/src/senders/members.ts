/**
 * Number pools: campaigns and conversations use one sender, and each recipient keeps getting messages from the same
 * number.
 */
import { z } from 'zod';
import { idParams, range, uuid } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { SENDER_STATUSES, SENDER_TYPES } from './senders.ts';

export const MAX_MEMBERS = 200;
/** Types that can be in a number pool. */
export const MEMBER_TYPES: readonly string[] = ['local', 'mobile', 'toll_free'];

export const SenderMember = z.object({
  sender_id: z.string(),
  name: z.string(),
  code: z.string(),
  type: z.enum(SENDER_TYPES),
  status: z.enum(SENDER_STATUSES),
  /** The country whose recipients are preferred for this number; null if there is none. */
  country: z.string().nullable(),
  /** ISO codes of the countries it can be used in; empty means every country. */
  countries: z.array(z.string()),
  /** Among equally suitable numbers, a number with weight 2 gets twice as many recipients as a number with weight 1. */
  weight: z.int(),
  /** True for the pool's own number. */
  own: z.boolean(),
  /** Number of messages in the last 30 days, or since the pool was created. */
  messages_30_days: z.int(),
  /** Its share of the pool's messages in these 30 days: 0 to 1. */
  share: z.number(),
});
export type SenderMember = z.output<typeof SenderMember>;

export const listSenderMembers = endpoint({
  id: 'senders.list_members',
  method: 'GET',
  path: '/v1/senders/{id}/members',
  summary: 'List the members of a number pool, starting with the sender’s own number. Empty if the sender has no pool',
  needs: 'SENDERS:view',
  params: idParams('SENDER_NOT_FOUND'),
  output: z.array(SenderMember),
  problems: ['SENDER_NOT_FOUND'],
});

export const putSenderMembers = endpoint({
  id: 'senders.put_members',
  method: 'PUT',
  path: '/v1/senders/{id}/members',
  summary: 'Replace the members of a number pool; an empty list dissolves the pool',
  needs: 'SENDERS:add',
  verified: true,
  params: idParams('SENDER_NOT_FOUND'),
  body: z.object({
    members: z
      .array(
        z.object({
          /** The list may include the pool's own number, to set its weight. That number is always a member. */
          sender_id: uuid('SENDER_NOT_FOUND'),
          /** Defaults to its previous weight, or 1. */
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
