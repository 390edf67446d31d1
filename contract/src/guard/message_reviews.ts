/** The operators' queue of messages that a content rule has held, and of those that a rule only reports. */
import { z } from 'zod';
import { filterWord, idParams, listQuery, problem, timestamp, uuid } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { type StatusWord, statusWord } from '../status.ts';
import { CONTENT_RULE_KINDS, ContentMatch } from './content_rules.ts';

export const REVIEW_STATES = ['waiting', 'released', 'rejected', 'ended', 'noted'] as const;
export type ReviewState = (typeof REVIEW_STATES)[number];
export const REVIEW_STATUS: Readonly<Record<ReviewState, StatusWord>> = {
  waiting: statusWord('Waiting', 'wait', 'clock'),
  released: statusWord('Released', 'ok', 'check'),
  rejected: statusWord('Rejected', 'fail', 'cross'),
  ended: statusWord('Not decided', 'off', 'ban'),
  noted: statusWord('Reported', 'flight', 'question'),
};

export const MessageReview = z.object({
  /** The ID of the message. */
  id: z.string(),
  account_id: z.string(),
  company_name: z.string(),
  rule_id: z.string(),
  rule_name: z.string(),
  kind: z.enum(CONTENT_RULE_KINDS),
  /** `ended`: the message expired or was canceled first. `noted`: the rule only notifies, so the message was sent. */
  state: z.enum(REVIEW_STATES),
  /** More than one if the rule only notifies and matched several messages that were sent together. */
  message_count: z.int(),
  channel: z.string(),
  from: z.string(),
  to: z.string(),
  country: z.string(),
  source: z.string(),
  text: z.string(),
  matches: z.array(ContentMatch),
  campaign_id: z.string().nullable(),
  campaign_name: z.string().nullable(),
  /** The message may have been sent before the database was restored. */
  possible_duplicate: z.boolean(),
  /** The operator's reason. Customers see the reason of a rejection. */
  reason: z.string().nullable(),
  reviewer_name: z.string().nullable(),
  create_date: timestamp,
  expire_date: timestamp.nullable(),
  decide_date: timestamp.nullable(),
});
export type MessageReview = z.output<typeof MessageReview>;

export const listMessageReviews = endpoint({
  id: 'message_reviews.list',
  method: 'GET',
  path: '/v1/message_reviews',
  summary: 'List the messages that content rules have matched: waiting messages oldest first, others newest first',
  needs: 'MESSAGES:view',
  audience: 'operator',
  query: listQuery({
    state: filterWord(REVIEW_STATES, 'VALUE_INVALID'),
    account_id: uuid('ACCOUNT_NOT_FOUND'),
    rule_id: uuid('CONTENT_RULE_NOT_FOUND'),
  }),
  list: true,
  output: MessageReview,
  problems: ['OPERATOR_ONLY', 'ACCOUNT_NOT_FOUND', 'CONTENT_RULE_NOT_FOUND', 'VALUE_INVALID'],
});

export const getMessageReview = endpoint({
  id: 'message_reviews.get',
  method: 'GET',
  path: '/v1/message_reviews/{id}',
  summary: 'Get a message that a content rule has matched',
  needs: 'MESSAGES:view',
  audience: 'operator',
  params: idParams('MESSAGE_REVIEW_NOT_FOUND'),
  output: MessageReview,
  problems: ['OPERATOR_ONLY', 'MESSAGE_REVIEW_NOT_FOUND'],
});

export const REVIEW_DECISIONS = ['release', 'reject'] as const;
export type ReviewDecision = (typeof REVIEW_DECISIONS)[number];
export const MAX_REVIEW_IDS = 500;

export const decideMessageReviews = endpoint({
  id: 'message_reviews.decide',
  method: 'POST',
  path: '/v1/message_reviews/decisions',
  summary: 'Release or reject messages waiting for review',
  needs: 'MESSAGES:edit',
  audience: 'operator',
  body: z.object({
    decision: z.enum(REVIEW_DECISIONS),
    ids: z.array(uuid('MESSAGE_REVIEW_NOT_FOUND')).min(1).max(MAX_REVIEW_IDS),
    reason: z
      .string({ error: problem('REVIEW_REASON_REQUIRED') })
      .trim()
      .min(3, { error: problem('REVIEW_REASON_REQUIRED') })
      .max(500)
      .meta({ description: 'Customers see the reason for a rejection. All reasons are in the audit log.' }),
    like: z.boolean().optional().meta({
      description:
        'Also applies to other waiting messages of the same accounts, rules, and campaigns, in the background.',
    }),
  }),
  output: z.object({
    /** The messages decided by this call. Messages that were no longer waiting are not counted. */
    decided: z.int(),
  }),
  problems: ['OPERATOR_ONLY', 'MESSAGE_REVIEW_NOT_FOUND', 'MESSAGE_REVIEW_DECIDED', 'REVIEW_REASON_REQUIRED'],
});
