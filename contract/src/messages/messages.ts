/** Messages: the one way in for single sends, the log, and one message's whole story. */

import { z } from 'zod';
import {
  channel,
  commaList,
  country,
  currency,
  idParams,
  listQuery,
  micros,
  problem,
  search,
  timestamp,
  timestampInput,
  uuid,
} from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import {
  BUTTON_PROBLEMS,
  CHANNEL_MEDIA_PROBLEMS,
  CONTENT_PROBLEMS,
  FALLBACK_PROBLEMS,
  IDEMPOTENCY_PROBLEMS,
  MEDIA_LINK_PROBLEMS,
  RECIPIENT_PROBLEMS,
  SENDING_PROBLEMS,
  TEMPLATE_USE_PROBLEMS,
} from '../problems/groups.ts';
import { Content } from './content.ts';
import { LEG_STATES, TRIGGERS } from './fallbacks.ts';

export const MAX_TEXT = 1_000;
export const MAX_RECIPIENTS = 10;
/** A message of more parts is refused: carriers and phones vary beyond it. */
export const MAX_SEGMENTS = 10;
export const VALIDITY_SECONDS = { min: 30, max: 259_200, default: 86_400 } as const;

export const STATUSES = [
  'scheduled',
  'enroute',
  'sent',
  'delivered',
  'read',
  'failed',
  'rejected',
  'expired',
  'blocked',
  'unsubscribed',
  'canceled',
  'received',
] as const;
export type Status = (typeof STATUSES)[number];

/**
 * Statuses only rise. A failure (3) still gives way to a late proof of delivery (4, 5); everything else that comes later
 * and lower is kept in the timeline and changes nothing.
 */
export const RANK: Record<Status, number> = {
  scheduled: 0,
  enroute: 1,
  sent: 2,
  failed: 3,
  rejected: 3,
  expired: 3,
  blocked: 3,
  unsubscribed: 3,
  canceled: 6,
  delivered: 4,
  read: 5,
  received: 6,
};
/** No further status is waited for. */
export const isFinal = (status: Status): boolean => RANK[status] >= 3;
export const FAILED_STATUSES = ['failed', 'rejected', 'expired', 'blocked', 'unsubscribed'] as const;

/** The log's words for a status. */
export const LOG_STATUSES = [
  'pending',
  'delivered',
  'read',
  'undelivered',
  'failed',
  'blocked',
  'canceled',
  'answered',
] as const;
export function logStatus(status: Status): (typeof LOG_STATUSES)[number] {
  if (status === 'scheduled' || status === 'enroute' || status === 'sent') return 'pending';
  if (status === 'failed' || status === 'expired') return 'undelivered';
  if (status === 'rejected') return 'failed';
  if (status === 'blocked' || status === 'unsubscribed') return 'blocked';
  if (status === 'received') return 'answered';
  return status;
}

/** Why a message failed, in the closed vocabulary that decides whether trying again makes sense. */
export const FAILURES = [
  'connection',
  'throttled',
  'rejected',
  'invalid',
  'config',
  'opted_out',
  'unknown',
  'expired',
] as const;
export type Failure = (typeof FAILURES)[number];

export const SOURCES = ['api', 'campaign', 'inbox', 'reply', 'test', 'phone', 'verification'] as const;

export const TimelineEntry = z.object({
  /** UTC with milliseconds. */
  at: z.string(),
  status: z.enum(STATUSES),
  /** Who said so: gate, worker, carrier, person. */
  source: z.string(),
  code: z.string().optional(),
  text: z.string().optional(),
  /** The carrier's own words, numbers masked. */
  detail: z.record(z.string(), z.unknown()).optional(),
  /** Came too late to count. */
  late: z.boolean().optional(),
  /** Of a message with fallbacks: which of its ways this is about, counted from 1, and on which channel. */
  leg: z.int().optional(),
  channel: z.string().optional(),
  /** That way begins, is left out or is not needed any more. */
  leg_state: z.enum(LEG_STATES).optional(),
});
export type TimelineEntry = z.output<typeof TimelineEntry>;

export const Message = z.object({
  id: z.string(),
  account_id: z.string(),
  conversation_id: z.string().nullable().optional(),
  text: z.string(),
  from: z.string(),
  to: z.string(),
  channel: z.string(),
  type: z.string(),
  /** What it carries besides its text, and why it is sent; null for a text and nothing else. */
  content: Content.nullable(),
  template_id: z.string().nullable(),
  status: z.enum(STATUSES),
  direction: z.enum(['MT', 'MO']),
  source: z.enum(SOURCES),
  create_date: timestamp,
  update_date: timestamp,
  schedule: timestamp.nullable(),
  segments_count: z.int(),
  encoding: z.string(),
  country: z.string(),
  mccmnc: z.string().nullable(),
  network: z.string().nullable().optional(),
  /** In currency units; `price_micros` is the exact amount. */
  price: z.number(),
  price_micros: micros,
  currency,
  charge: z.enum(['none', 'held', 'settled', 'released']),
  sender_id: z.string(),
  campaign_id: z.string().nullable(),
  user_id: z.string().nullable(),
  failure: z.enum(FAILURES).nullable(),
  carrier_code: z.string().nullable(),
  status_details: z.string().nullable(),
});
export type Message = z.output<typeof Message>;

/** One of the ways of a message, in their order; the first is the message as it was accepted. */
export const MessageLeg = z.object({
  leg: z.int(),
  channel: z.string(),
  from: z.string(),
  type: z.string(),
  text: z.string(),
  /** What passes the one before on to it; null of the first. */
  trigger: z.enum(TRIGGERS).nullable(),
  wait_seconds: z.int().nullable(),
  state: z.enum(LEG_STATES),
  /** Why it was passed on, left out or not needed. */
  reason: z.string().nullable(),
  /** How far it came by itself; null while its turn has not come. */
  status: z.enum(STATUSES).nullable(),
  price_micros: micros,
});
export type MessageLeg = z.output<typeof MessageLeg>;

export const MessageDetail = Message.extend({
  timeline: z.array(TimelineEntry),
  payload: z.string().nullable(),
  expire_date: timestamp.nullable(),
  hold_id: z.string().nullable(),
  campaign_name: z.string().nullable(),
  sender_name: z.string().nullable(),
  user_name: z.string().nullable(),
  key_name: z.string().nullable(),
  connection_name: z.string().nullable(),
  possible_duplicate: z.boolean(),
  attempts: z.int(),
  external_ids: z.array(z.string()),
  /** All its ways; empty when there is only one. */
  fallbacks: z.array(MessageLeg),
});
export type MessageDetail = z.output<typeof MessageDetail>;

const buttonInput = z.object({
  /** quick_reply, link or phone_call; by what it carries when nothing is said. */
  type: z.string().trim().max(40).nullish(),
  text: z.string().trim().max(100).nullish(),
  value: z.string().trim().max(2_083).nullish(),
  /** Older names of `text` and `value`. */
  caption: z.string().trim().max(100).nullish(),
  url: z.string().trim().max(2_083).nullish(),
});
export type ButtonInput = z.output<typeof buttonInput>;

/** What is sent, in all the ways it may be written. Read loosely here; `readMessage` (message_rules.ts) says what is wrong. */
const messageFields = {
  /** text, image, video or document, in any case. */
  type: z.string().trim().max(20).nullish(),
  /** Of a message with a file: what stands below it. */
  text: z
    .string({ error: problem('MESSAGE_TEXT_REQUIRED') })
    .max(MAX_TEXT, { error: problem('MESSAGE_TEXT_TOO_LONG') })
    .nullish(),
  template: uuid('MESSAGE_TEMPLATE_ID_INVALID').nullish(),
  /** In the order of the template's placeholders. */
  variables: z
    .array(z.union([z.string().max(2_000), z.number().transform(String), z.null()]))
    .max(50)
    .nullish(),
  media_id: uuid('FILE_NOT_FOUND').nullish(),
  url: z.string().trim().max(4_000).nullish(),
  file_name: z.string().trim().max(255).nullish(),
  /** As `file_name`. */
  filename: z.string().trim().max(255).nullish(),
  button: buttonInput.nullish(),
  buttons: z.array(buttonInput).max(10).nullish(),
  /** As `button`, in three fields. */
  button_type: z.string().trim().max(40).nullish(),
  button_text: z.string().trim().max(100).nullish(),
  button_value: z.string().trim().max(2_083).nullish(),
  /** Viber: promotional or transactional; by the conversation when nothing is said. */
  purpose: z.string().trim().max(20).nullish(),
};
const messageBody = z.object(messageFields);
export type MessageBody = z.output<typeof messageBody>;

/** Another way, for when the one before does not arrive. Read loosely here; `readFallbacks` (message_fallbacks.ts) says what is wrong. */
const fallbackInput = z.object({
  channel: channel('MESSAGE_CHANNEL_INVALID'),
  from: z.string().trim().max(100).nullish(),
  ...messageFields,
  /** undelivered (when nothing is said), unread or failed. */
  trigger: z.string().trim().max(20).nullish(),
  /** From when it was handed over; 30 to 86,400. Nothing waits for a failure. */
  wait_seconds: z.number().nullish(),
});

const recipients = z
  .preprocess(
    (value) => (typeof value === 'string' ? value.split(',') : value),
    z.array(z.string().trim().min(1), { error: problem('RECIPIENT_REQUIRED') }),
  )
  .refine((list) => list.length > 0, { error: problem('RECIPIENT_REQUIRED') })
  .refine((list) => list.length <= MAX_RECIPIENTS, { error: problem('RECIPIENTS_LIMIT_EXCEEDED') });

export const createMessage = endpoint({
  id: 'messages.create',
  method: 'POST',
  path: '/v1/messages',
  summary: 'Send a message to 1 to 10 recipients; all are accepted or none',
  needs: 'MESSAGES:add',
  body: z.object({
    /** Name or code of the sender, or its id. */
    from: z
      .string({ error: problem('MESSAGE_SENDER_REQUIRED') })
      .trim()
      .min(1, { error: problem('MESSAGE_SENDER_REQUIRED') })
      .max(100),
    to: recipients,
    channel: channel('MESSAGE_CHANNEL_INVALID'),
    ...messageFields,
    /** 1 to 3, each on another channel. Held is the dearest of all, charged the dearest that has to be paid. */
    fallbacks: z.array(fallbackInput).max(50).nullish(),
    /** To try it: at no price, to one's own phones only, so many a day. Told on GET /v1/try_it_now/{channel}. */
    test: z.boolean().optional(),
    schedule: timestampInput('SCHEDULE_IN_PAST').optional(),
    validity_seconds: z
      .int({ error: problem('VALIDITY_INVALID') })
      .min(VALIDITY_SECONDS.min, { error: problem('VALIDITY_INVALID') })
      .max(VALIDITY_SECONDS.max, { error: problem('VALIDITY_INVALID') })
      .optional(),
    payload: z
      .string()
      .max(500, { error: problem('PAYLOAD_TOO_LONG') })
      .optional(),
  }),
  idempotent: true,
  /** One object a recipient, in the order of `to`; a number given twice is sent to once. */
  output: z.array(Message),
  problems: [
    ...SENDING_PROBLEMS,
    ...CONTENT_PROBLEMS,
    ...TEMPLATE_USE_PROBLEMS,
    'MESSAGE_CHANNEL_INVALID',
    ...RECIPIENT_PROBLEMS,
    ...FALLBACK_PROBLEMS,
    ...MEDIA_LINK_PROBLEMS,
    'DOCUMENT_NAME_TOO_LONG',
    'DOCUMENT_NAME_INVALID',
    ...BUTTON_PROBLEMS,
    ...CHANNEL_MEDIA_PROBLEMS,
    'FILE_NOT_FOUND',
    ...IDEMPOTENCY_PROBLEMS,
  ],
});

const statusInput = z
  .string()
  .transform((text) => (text.toLowerCase() === 'seen' ? 'read' : text.toLowerCase()))
  .pipe(z.enum(STATUSES));

export const listMessages = endpoint({
  id: 'messages.list',
  method: 'GET',
  path: '/v1/messages',
  summary: 'The message log, newest first',
  needs: 'MESSAGES:view',
  query: listQuery({
    countries: commaList(country('VALUE_INVALID')),
    sender_ids: commaList(uuid()),
    campaign_ids: commaList(uuid()),
    /** In any case; `seen` is `read`. */
    statuses: commaList(statusInput),
    direction: z
      .string()
      .transform((text) => text.toUpperCase())
      .pipe(z.enum(['MT', 'MO'])),
    channel: channel('VALUE_INVALID'),
    source: z.enum(SOURCES),
    /** Exactly as shown; numbers in any writing. */
    from: search,
    to: search,
    /** Beginning of the other side's number, whichever the direction. */
    to_prefix: search,
    created_date_start: timestampInput('VALUE_INVALID'),
    created_date_end: timestampInput('VALUE_INVALID'),
  }),
  list: true,
  output: Message,
  problems: ['VALUE_INVALID'],
});

export const getMessage = endpoint({
  id: 'messages.get',
  method: 'GET',
  path: '/v1/messages/{id}',
  summary: 'One message with its timeline',
  needs: 'MESSAGES:view',
  params: idParams('MESSAGE_ID_INVALID'),
  output: MessageDetail,
  problems: ['MESSAGE_NOT_FOUND', 'MESSAGE_ID_INVALID'],
});

export const cancelMessage = endpoint({
  id: 'messages.remove',
  method: 'DELETE',
  path: '/v1/messages/{id}',
  summary: 'Cancel a message that has not left yet',
  needs: 'MESSAGES:add',
  params: idParams('MESSAGE_ID_INVALID'),
  status: 204,
  output: z.null(),
  problems: ['MESSAGE_NOT_FOUND', 'MESSAGE_ID_INVALID', 'MESSAGE_CANCEL_NOT_ALLOWED'],
});

/** Someone wrote to us, or a single message was accepted. */
export const messageCreated = event({
  id: 'message.created',
  modules: ['messages'],
  needs: 'MESSAGES:view',
  payload: Message,
});
/** The status of a message rose, or it was passed on to another of its ways. Messages of campaigns are heard by webhooks; on the live stream `campaign.progressed` speaks for them. */
export const messageStatusChanged = event({
  id: 'message.status_changed',
  modules: ['messages'],
  needs: 'MESSAGES:view',
  payload: Message,
});
/** The file of a person's message has come, or cannot be fetched. */
export const messageFileChanged = event({
  id: 'message.file_changed',
  modules: ['messages'],
  needs: 'MESSAGES:view',
  payload: Message,
});
