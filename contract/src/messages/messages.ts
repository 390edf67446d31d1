/** Messages: sending, the message log, and a message with its timeline. */
import { z } from 'zod';
import { channel } from '../channels/field.ts';
import {
  commaList,
  country,
  currency,
  exactCount,
  listQuery,
  micros,
  problem,
  range,
  search,
  timestamp,
  timestampFilter,
  timestampInput,
  uuid,
  wordList,
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
import { spend } from '../spend.ts';
import { VERIFICATION_STATUSES } from '../verifications/statuses.ts';
import { buttonInput } from './button_input.ts';
import { Content, WA_CATEGORIES } from './content.ts';
import { Marks } from './marks.ts';
import { statusesInput } from './status_input.ts';
import { STATUSES } from './statuses.ts';
import { MAX_UNDO_SECONDS } from './undo.ts';

export const MAX_TEXT = 1_000;
export const MAX_RECIPIENTS = 10;
/** Longer messages are rejected, because carriers and phones handle them inconsistently. */
export const MAX_SEGMENTS = 10;
export const VALIDITY_SECONDS = { min: 30, max: 259_200, default: 86_400 } as const;

/** Why a message failed. The value decides whether it is retried. */
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

/** `phone`: written by the contact. `phone_app`: sent by the business from its own phone, not through Parley. */
export const SOURCES = [
  'api',
  'smpp',
  'campaign',
  'inbox',
  'reply',
  'test',
  'phone',
  'phone_app',
  'verification',
] as const;

/** Whether the price is held, charged (`settled`), or released. Inbound messages are free. */
export const CHARGES = ['none', 'held', 'settled', 'released'] as const;

export const Message = z.object({
  id: z.string(),
  account_id: z.string(),
  conversation_id: z.string().nullable().optional(),
  text: z.string(),
  from: z.string(),
  to: z.string(),
  channel: z.string(),
  type: z.string(),
  /** The content in addition to the text, and the purpose; null for plain text. */
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
  price: spend(z.number()),
  price_micros: spend(micros),
  currency,
  charge: z.enum(CHARGES),
  sender_id: z.string(),
  campaign_id: z.string().nullable(),
  user_id: z.string().nullable(),
  failure: z.enum(FAILURES).nullable(),
  carrier_code: z.string().nullable(),
  status_details: z.string().nullable(),
  marks: Marks.nullable().optional(),
  /** Set if a test key sent the message, for free and to no phone. */
  test: z.literal(true).optional(),
});
export type Message = z.output<typeof Message>;

/** A message in the message log. */
export const LoggedMessage = Message.extend({
  segment_count: z.int(),
  /** The same as `source`: the log of older clients calls it the priority. */
  priority: z.enum(SOURCES),
  wa_category: z.enum(WA_CATEGORIES).nullable(),
  /** Whether the verification code in the message was entered; null for all other messages. */
  verification_status: z.enum(VERIFICATION_STATUSES).nullable(),
  /** The link of the file, if the message was sent with one. */
  url: z.string().nullable(),
  /** The values of the template's placeholders, in their order. */
  variables: z.array(z.string()),
  sender: z.object({ id: z.string(), name: z.string().nullable(), code: z.string().nullable() }),
  links: z.object({ self: z.string(), account: z.string() }),
});
export type LoggedMessage = z.output<typeof LoggedMessage>;

/** All accepted formats of a message. The schema is loose: `readMessage` (rules.ts) reports invalid input. */
export const messageFields = {
  /** text, image, video, or document, in any case. */
  type: z.string().trim().max(20).nullish(),
  /** The text, or the caption of a file. */
  text: z
    .string({ error: problem('MESSAGE_TEXT_REQUIRED') })
    .max(MAX_TEXT, { error: problem('MESSAGE_TEXT_TOO_LONG') })
    .nullish(),
  template: uuid('MESSAGE_TEMPLATE_ID_INVALID').nullish(),
  /** The values, in the order of the template's placeholders. */
  variables: z
    .array(z.union([z.string().max(2_000), z.number().transform(String), z.null()]))
    .max(50)
    .nullish(),
  media_id: uuid('FILE_NOT_FOUND').nullish(),
  url: z.string().trim().max(4_000).nullish(),
  file_name: z.string().trim().max(255).nullish(),
  /** An alias of `file_name`. */
  filename: z.string().trim().max(255).nullish(),
  button: buttonInput.nullish(),
  buttons: z.array(buttonInput).max(10).nullish(),
  /** An alternative to `button`, split into three fields. */
  button_type: z.string().trim().max(40).nullish(),
  button_text: z.string().trim().max(100).nullish(),
  button_value: z.string().trim().max(2_083).nullish(),
  /** Viber: promotional or transactional; derived from the conversation if missing. */
  purpose: z.string().trim().max(20).nullish(),
};
const messageBody = z.object(messageFields);
export type MessageBody = z.output<typeof messageBody>;

/** A fallback channel. The schema is loose: `readFallbacks` (fallbacks.ts) reports invalid input. */
export const fallbackInput = z.object({
  channel: channel('MESSAGE_CHANNEL_INVALID'),
  from: z.string().trim().max(100).nullish(),
  ...messageFields,
  /** undelivered (the default), unread, or failed. */
  trigger: z.string().trim().max(20).nullish(),
  /** Seconds from the submission: 30 to 86,400. The trigger `failed` has no wait. */
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
  summary: 'Send a message to 1 to 10 recipients; either all are accepted or none',
  needs: 'MESSAGES:add',
  test_keys: true,
  body: z.object({
    /** The sender's name, code, or ID. */
    from: z
      .string({ error: problem('MESSAGE_SENDER_REQUIRED') })
      .trim()
      .min(1, { error: problem('MESSAGE_SENDER_REQUIRED') })
      .max(100),
    to: recipients,
    channel: channel('MESSAGE_CHANNEL_INVALID'),
    ...messageFields,
    number_formatting: z
      .boolean()
      .nullish()
      .meta({ description: 'Ignored. Numbers are read with their country code.' }),
    /**
     * 1 to 3 fallbacks, each on a different channel. The highest price among all steps is held, and the highest price
     * that is due is charged.
     */
    fallbacks: z.array(fallbackInput).max(50).nullish(),
    /** A free test message to the caller's own phones. GET /v1/try_it_now/{channel} returns the limits. */
    test: z.boolean().optional(),
    schedule: timestampInput('SCHEDULE_IN_PAST').optional(),
    /** Sends the message after this many seconds instead. Until then, it is scheduled and can be canceled. */
    undo_seconds: range(1, MAX_UNDO_SECONDS).optional(),
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
  keeps_refusals: true,
  /** One object per recipient, in the order of `to`. A repeated number gets only one message. */
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

export const listMessages = endpoint({
  id: 'messages.list',
  method: 'GET',
  path: '/v1/messages',
  summary: 'List messages, newest first',
  needs: 'MESSAGES:view',
  test_keys: true,
  sorts: ['create_date'],
  query: listQuery({
    countries: commaList(country('VALUE_INVALID')),
    sender_ids: commaList(uuid()),
    campaign_ids: commaList(uuid()),
    /**
     * Accepted in upper or lower case; `seen` means `read`. `pending`, `undelivered`, and `answered` are short for all
     * statuses of the group.
     */
    statuses: statusesInput,
    direction: z
      .string()
      .toUpperCase()
      .pipe(z.enum(['MT', 'MO'])),
    channel: channel('VALUE_INVALID'),
    source: z.enum(SOURCES),
    wa_categories: wordList(WA_CATEGORIES),
    verification_statuses: wordList(VERIFICATION_STATUSES),
    /** MCC and MNC; `unknown` finds messages without a network. */
    networks: commaList(z.string().regex(/^(\d{5,6}|unknown)$/, { error: problem('VALUE_INVALID') })),
    user_ids: commaList(uuid()),
    key_ids: commaList(uuid()),
    failures: wordList(FAILURES),
    template_ids: commaList(uuid()),
    charge: z.enum(CHARGES),
    /** Exact matches; numbers in any format. */
    from: search,
    to: search,
    /** The first digits of the other party's number, in both directions. */
    to_prefix: search,
    created_date_start: timestampFilter('start'),
    created_date_end: timestampFilter('end'),
  }).extend({ count: exactCount }),
  list: true,
  counts: true,
  output: LoggedMessage,
  problems: ['VALUE_INVALID'],
});

/** An inbound message arrived, or a single message was accepted. */
export const messageCreated = event({
  id: 'message.created',
  modules: ['messages', 'person_timeline'],
  needs: 'MESSAGES:view',
  payload: Message,
});
/** A status changed, or a fallback step started. For campaigns, the live stream has `campaign.progressed` instead. */
export const messageStatusChanged = event({
  id: 'message.status_changed',
  modules: ['messages', 'person_timeline'],
  needs: 'MESSAGES:view',
  payload: Message,
});
/** The message was edited, deleted, or rescheduled, or a reaction to it changed. */
export const messageChanged = event({
  id: 'message.changed',
  modules: ['messages', 'person_timeline'],
  needs: 'MESSAGES:view',
  payload: Message,
});
/** The file of an inbound message was stored, or could not be downloaded. */
export const messageFileChanged = event({
  id: 'message.file_changed',
  modules: ['messages'],
  needs: 'MESSAGES:view',
  payload: Message,
});
