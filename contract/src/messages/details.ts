/** A message with its timeline. Apart from messages.ts, because the first screens do not need it. */
import { z } from 'zod';
import { Consent } from '../audiences/consents.ts';
import { idParams, micros, timestamp } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { spend } from '../spend.ts';
import { RuleCheck } from './decisions.ts';
import { LoggedMessage } from './shapes.ts';
import { STATUSES } from './statuses.ts';
import { FALLBACK_STEP_STATES, TRIGGERS } from './triggers.ts';

export const TimelineEntry = z.object({
  /** UTC with milliseconds. */
  at: z.string(),
  status: z.enum(STATUSES),
  /** The source of the entry: the gate, a worker, the carrier, or a person. */
  source: z.string(),
  code: z.string().optional(),
  text: z.string().optional(),
  /** The carrier's response, with numbers masked. */
  detail: z.record(z.string(), z.unknown()).optional(),
  /** Set if the message moved to another connection because the first could not send it. */
  moved: z.object({ from: z.string(), to: z.string() }).optional(),
  /** True if the entry arrived too late to change the status. */
  late: z.boolean().optional(),
  /** For a message with fallbacks: the fallback step, counted from 1, and its channel. */
  leg: z.int().optional(),
  channel: z.string().optional(),
  /** Set if the step started, was skipped, or is no longer needed. */
  leg_state: z.enum(FALLBACK_STEP_STATES).optional(),
});
export type TimelineEntry = z.output<typeof TimelineEntry>;

/** One step of a message with fallbacks. The first step is the message as it was accepted. */
export const MessageFallbackStep = z.object({
  leg: z.int(),
  channel: z.string(),
  from: z.string(),
  type: z.string(),
  text: z.string(),
  /** The trigger; null for the first step. */
  trigger: z.enum(TRIGGERS).nullable(),
  wait_seconds: z.int().nullable(),
  state: z.enum(FALLBACK_STEP_STATES),
  /** Why the step was triggered, skipped, or not needed. */
  reason: z.string().nullable(),
  /** The status of this step; null before it starts. */
  status: z.enum(STATUSES).nullable(),
  price_micros: spend(micros),
});
export type MessageFallbackStep = z.output<typeof MessageFallbackStep>;

export const MessageClick = z.object({
  link_id: z.string(),
  /** The destination of the link. */
  url: z.string(),
  device: z.string(),
  click_date: timestamp,
});
export type MessageClick = z.output<typeof MessageClick>;

export const MessageDetail = LoggedMessage.extend({
  timeline: z.array(TimelineEntry),
  payload: z.string().nullable(),
  expire_date: timestamp.nullable(),
  hold_id: z.string().nullable(),
  campaign_name: z.string().nullable(),
  sender_name: z.string().nullable(),
  user_name: z.string().nullable(),
  key_name: z.string().nullable(),
  /** The system ID of the SMPP account that sent the message. */
  smpp_system_id: z.string().nullable(),
  connection_name: z.string().nullable(),
  /** The message's first and last unit in its month's volume, if volume prices apply to it. */
  volume: z.object({ month: z.string(), first_unit: z.int(), last_unit: z.int() }).nullable(),
  possible_duplicate: z.boolean(),
  attempts: z.int(),
  external_ids: z.array(z.string()),
  contact: z.object({ id: z.string(), audience_id: z.string(), name: z.string() }).nullable(),
  /** All fallback steps; empty without fallbacks. */
  fallbacks: z.array(MessageFallbackStep),
  /** Why the message was accepted; empty for inbound messages. */
  decisions: z.array(RuleCheck),
  /** The consent under which a campaign sent the message. Needs AUDIENCES view; null without it. */
  consent: Consent.nullable(),
  /** The recipient's first 20 clicks on links in the message. Empty without SHORT_URLS view. */
  clicks: z.array(MessageClick),
  /** The first 5 inbound messages after this one, up to the conversation's next outbound message. */
  replies: z.array(z.object({ id: z.string(), text: z.string(), create_date: timestamp })),
});
export type MessageDetail = z.output<typeof MessageDetail>;

export const getMessage = endpoint({
  id: 'messages.get',
  method: 'GET',
  path: '/v1/messages/{id}',
  summary: 'Get a message with its timeline',
  needs: 'MESSAGES:view',
  test_keys: true,
  params: idParams('MESSAGE_ID_INVALID'),
  output: MessageDetail,
  problems: ['MESSAGE_NOT_FOUND', 'MESSAGE_ID_INVALID'],
});

export const cancelMessage = endpoint({
  id: 'messages.remove',
  method: 'DELETE',
  path: '/v1/messages/{id}',
  summary: 'Cancel a message that has not been sent yet',
  needs: 'MESSAGES:add',
  test_keys: true,
  params: idParams('MESSAGE_ID_INVALID'),
  status: 204,
  output: z.null(),
  problems: ['MESSAGE_NOT_FOUND', 'MESSAGE_ID_INVALID', 'MESSAGE_CANCEL_NOT_ALLOWED'],
});
