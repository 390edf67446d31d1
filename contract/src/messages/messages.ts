/** Messages: sending, the message log, and a message with its timeline. */
import { z } from 'zod';
import { channel } from '../channels/field.ts';
import { CHANNELS } from '../channels/names.ts';
import {
  commaList,
  country,
  exactCount,
  filterWord,
  listQuery,
  optional,
  problem,
  range,
  search,
  textOrNumber,
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
import { VERIFICATION_STATUSES } from '../verifications/statuses.ts';
import { buttonInput } from './button_input.ts';
import { cardFields } from './cards.ts';
import { WA_CATEGORIES } from './content.ts';
import { CHARGES, FAILURES, SOURCES } from './kinds.ts';
import { LoggedMessage, Message } from './shapes.ts';
import { statusesInput } from './status_input.ts';
import { MAX_UNDO_SECONDS } from './undo.ts';

export { CHARGES, FAILURES, type Failure, SOURCES } from './kinds.ts';
export type { LoggedMessage, Message } from './shapes.ts';

export const MAX_TEXT = 1_000;
export const MAX_RECIPIENTS = 10;
/** Longer messages are rejected, because carriers and phones handle them inconsistently. */
export const MAX_SEGMENTS = 10;
export const VALIDITY_SECONDS = { min: 30, max: 259_200, default: 86_400 } as const;

/** All accepted formats of a message. The schema is loose: `readMessage` (rules.ts) reports invalid input. */
export const messageFields = {
  /** text, image, video, document, location, contacts, or list, in any case. */
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
  /** WhatsApp: the ID of an earlier message in the conversation that this message quotes. */
  reply_to: uuid('QUOTED_MESSAGE_NOT_FOUND').nullish(),
  /** An alias of `file_name`. */
  filename: z.string().trim().max(255).nullish(),
  button: buttonInput.nullish(),
  buttons: z.array(buttonInput).max(10).nullish(),
  /** An alternative to `button`, split into three fields. */
  button_type: z.string().trim().max(40).nullish(),
  button_text: z.string().trim().max(100).nullish(),
  button_value: z.string().trim().max(2_083).nullish(),
  /** WhatsApp: a location, contact cards, or a list of choices, within an open session. */
  ...cardFields,
  /** Viber: promotional or transactional; derived from the conversation if missing. */
  purpose: z.string().trim().max(20).nullish(),
};

/** Names in the oldest programs: the link of an image, and the text. */
const oldestFields = {
  image: z.string().trim().max(4_000).nullish(),
  caption: z
    .string()
    .max(MAX_TEXT, { error: problem('MESSAGE_TEXT_TOO_LONG') })
    .nullish(),
};
const messageBody = z.object({ ...messageFields, ...oldestFields });
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
    (value) => (typeof value === 'string' ? value.split(',') : typeof value === 'number' ? [value] : value),
    z.array(textOrNumber(z.string().trim().min(1)), { error: problem('RECIPIENT_REQUIRED') }),
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
    ...oldestFields,
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
    test: optional(z.boolean()),
    schedule: optional(timestampInput('SCHEDULE_IN_PAST')),
    /** Sends the message after this many seconds instead. Until then, it is scheduled and can be canceled. */
    undo_seconds: optional(range(1, MAX_UNDO_SECONDS)),
    validity_seconds: optional(
      z
        .int({ error: problem('VALIDITY_INVALID') })
        .min(VALIDITY_SECONDS.min, { error: problem('VALIDITY_INVALID') })
        .max(VALIDITY_SECONDS.max, { error: problem('VALIDITY_INVALID') }),
    ),
    /** Any text you choose. Webhooks and the message return it. */
    payload: optional(z.string().max(500)),
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
    channel: filterWord(CHANNELS, 'VALUE_INVALID'),
    source: z.enum(SOURCES),
    wa_categories: wordList(WA_CATEGORIES),
    verification_statuses: wordList(VERIFICATION_STATUSES),
    /** MCC and MNC; `unknown` finds messages without a network. */
    networks: commaList(z.string().regex(/^(\d{5,6}|unknown)$/, { error: problem('VALUE_INVALID') })),
    user_ids: commaList(uuid()),
    key_ids: commaList(uuid()),
    failures: wordList(FAILURES),
    template_ids: commaList(uuid()),
    /** The messages of a ledger entry, by its `hold_id`. */
    hold_id: uuid(),
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
