/**
 * Templates: reusable messages, which some channels review before they can be sent. Variables are written in braces,
 * with an optional fallback: `{first_name:there}`.
 */
import { z } from 'zod';
import { CAMPAIGN_STATUSES } from '../campaigns/statuses.ts';
import { channel } from '../channels/field.ts';
import { CHANNELS } from '../channels/names.ts';
import { filterWord, idParams, listQuery, problem, search, timestamp, uuid, wordList } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { buttonInput as messageButton } from '../messages/button_input.ts';
import { BUTTON_TYPES, Button, MESSAGE_TYPES } from '../messages/content.ts';
import { SENDER_REQUEST } from '../senders/senders.ts';
import { statusWord } from '../status.ts';

export const TEMPLATE_STATUSES = ['IN_PROCESS', 'COMPLETED', 'CANCELED'] as const;
/** The labels of sender requests. The channel can pause or disable an approved template. */
export const TEMPLATE_STATUS = {
  IN_PROCESS: SENDER_REQUEST.IN_PROCESS,
  COMPLETED: SENDER_REQUEST.COMPLETED,
  CANCELED: SENDER_REQUEST.CANCELED,
  paused: statusWord('Paused', 'wait', 'paused'),
  disabled: statusWord('Disabled', 'off', 'ban'),
};
export const QUALITIES = ['GREEN', 'YELLOW', 'RED'] as const;
export const WA_CATEGORIES = ['MARKETING', 'UTILITY', 'AUTHENTICATION'] as const;
/** The categories of older clients: promotional is 5, and transactional is 6. */
const CATEGORY_NAMES: Readonly<Record<string, (typeof WA_CATEGORIES)[number]>> = {
  ...{ 5: 'MARKETING', promotional: 'MARKETING', 6: 'UTILITY', transactional: 'UTILITY' },
};

/** The value of `reason.code` when an operator has requested more information. */
export const ASKED = 'ASKED';

export const Template = z.object({
  id: z.string(),
  account_id: z.string(),
  channel: z.enum(CHANNELS),
  name: z.string(),
  text: z.string(),
  type: z.enum(MESSAGE_TYPES),
  media_id: z.string().nullable(),
  url: z.string().nullable(),
  filename: z.string().nullable(),
  /** WhatsApp: a line above the text, in templates without a file. */
  header: z.string().nullable(),
  footer: z.string().nullable(),
  buttons: z.array(Button),
  /** The first of `buttons`, for older clients: `quick_reply`, or `call_to_action` for the other two types. */
  button_type: z.enum(['quick_reply', 'call_to_action']).nullable(),
  button_text: z.string().nullable(),
  button_value: z.string().nullable(),
  wa_category: z.enum(WA_CATEGORIES).nullable(),
  /** The `code` of the WhatsApp sender that the template belongs to. */
  wa_sender_code: z.string().nullable(),
  language: z.string(),
  /** An example for each placeholder, starting with those in the header. WhatsApp requires them. */
  samples: z.array(z.string()),
  status: z.enum(TEMPLATE_STATUSES),
  /** True if the template is approved, but paused or disabled by WhatsApp. */
  paused: z.boolean(),
  /** True if WhatsApp has permanently disabled the template. */
  disabled: z.boolean(),
  /** WhatsApp's quality rating; null if there is none. WhatsApp pauses templates that stay RED. */
  quality: z.enum(QUALITIES).nullable(),
  /** Why the template was rejected or paused, and what to do about it. */
  reason: z.object({ code: z.string(), text: z.string(), advice: z.string() }).nullable(),
  /** The reviewer's ID for the template. */
  external_id: z.string().nullable(),
  /** Viber: the language under which the carrier stores the template; null if the carrier does not store it. */
  external_language: z.string().nullable(),
  create_date: timestamp,
  update_date: timestamp,
});
export type Template = z.output<typeof Template>;

const LINKS = { self: '/v1/templates/{id}', account: '/v1/accounts/self' } as const;

const name = z
  .string({ error: problem('TEMPLATE_NAME_REQUIRED') })
  .trim()
  .max(200, { error: problem('TEMPLATE_NAME_TOO_LONG') });
const buttonInput = z.object({
  type: z.enum(BUTTON_TYPES),
  text: z.string().trim().max(100),
  value: z.string().trim().max(2_083).default(''),
});

/** The schema is loose: `templateFindings` (rules.ts) reports invalid input, for the form and the API. */
const fields = {
  name,
  text: z
    .string({ error: problem('TEMPLATE_TEXT_INVALID') })
    .max(4_000)
    .optional(),
  /** Defaults to `text`. */
  type: z
    .string()
    .transform((text) => text.toLowerCase())
    .pipe(z.enum(MESSAGE_TYPES, { error: problem('MESSAGE_TYPE_REQUIRED') }))
    .optional(),
  media_id: uuid('FILE_NOT_FOUND').nullable().optional(),
  url: z.string().trim().max(4_000).nullable().optional(),
  filename: z.string().trim().max(255).nullable().optional(),
  /** An alias of `filename`. */
  file_name: z.string().trim().max(255).nullable().optional(),
  header: z.string().trim().max(200).nullable().optional(),
  footer: z.string().trim().max(200).nullable().optional(),
  buttons: z.array(buttonInput).max(10).optional(),
  /** One button, as in messages. */
  button: messageButton.nullable().optional(),
  /** One button in the format of older clients: quick_reply, call_to_action, PHONE_CALL, or LINK. */
  button_type: z.string().max(40).nullable().optional(),
  button_text: z.string().trim().max(100).nullable().optional(),
  button_value: z.string().trim().max(2_083).nullable().optional(),
  wa_category: z
    .union([z.string(), z.int()])
    .transform((word) => CATEGORY_NAMES[String(word).toLowerCase()] ?? String(word).toUpperCase())
    .pipe(z.enum(WA_CATEGORIES))
    .nullable()
    .optional(),
  wa_sender_code: z.string().trim().max(40).nullable().optional(),
  language: z
    .string()
    .regex(/^[a-z]{2,3}(?:_[A-Z]{2})?$/, { error: problem('VALUE_INVALID') })
    .optional(),
  samples: z.array(z.string().max(200)).max(30).optional(),
};

const RULES = [
  'LINK_URL_INVALID',
  'LINKS_LIMIT_EXCEEDED',
  'TEMPLATE_SENDER_REQUIRED',
  'TEMPLATE_TEXT_REQUIRED',
  'TEMPLATE_TEXT_INVALID',
  'TEMPLATE_CHANNEL_REQUIRED',
  'TEMPLATE_CHANNEL_INVALID',
  'TEMPLATE_EXISTS',
  'TEMPLATE_NAME_INVALID',
  'TEMPLATE_TEXT_TOO_LONG',
  'TEMPLATE_NAME_REQUIRED',
  'TEMPLATE_NAME_TOO_LONG',
  'MEDIA_REQUIRED',
  'MEDIA_LINK_TOO_LONG',
  'MEDIA_LINK_INVALID',
  'DOCUMENT_NAME_REQUIRED',
  'DOCUMENT_NAME_TOO_LONG',
  'DOCUMENT_NAME_INVALID',
  'BUTTON_TEXT_REQUIRED',
  'BUTTON_VALUE_INVALID',
  'BUTTON_TEXT_TOO_LONG',
  'WHATSAPP_IMAGE_INVALID',
  'WHATSAPP_VIDEO_INVALID',
  'WHATSAPP_DOCUMENT_INVALID',
  'VIBER_IMAGE_INVALID',
  'VIBER_VIDEO_INVALID',
  'VIBER_DOCUMENT_INVALID',
  'TEMPLATE_EXISTS_AT_WHATSAPP',
  'MESSAGE_SENDER_NOT_FOUND',
  'SMS_IMAGE_NOT_ALLOWED',
  'SMS_BUTTON_NOT_ALLOWED',
  'VIBER_BUTTON_REQUIRED',
  'VARIABLE_TOO_LONG',
  'BUTTONS_NOT_ALLOWED',
  'VALUE_INVALID',
  'FILE_NOT_FOUND',
] as const;

export const listTemplates = endpoint({
  id: 'templates.list',
  method: 'GET',
  path: '/v1/templates',
  summary: 'List templates, newest first',
  needs: ['TEMPLATES:view', 'MESSAGES:add', 'CAMPAIGNS:add'],
  test_keys: true,
  sorts: ['name', 'wa_category', 'status', 'create_date'],
  query: listQuery({
    channel: filterWord(CHANNELS, 'TEMPLATE_CHANNEL_INVALID'),
    status: filterWord(TEMPLATE_STATUSES, 'VALUE_INVALID'),
    statuses: wordList(TEMPLATE_STATUSES),
    /** Matches part of the name. */
    name: search,
    sender_code: search,
    wa_categories: wordList(WA_CATEGORIES),
    types: wordList(MESSAGE_TYPES),
  }),
  list: true,
  output: Template,
  links: LINKS,
  problems: ['TEMPLATE_CHANNEL_INVALID'],
});
export const getTemplate = endpoint({
  id: 'templates.get',
  method: 'GET',
  path: '/v1/templates/{id}',
  summary: 'Get a template and where it is used',
  needs: ['TEMPLATES:view', 'MESSAGES:add', 'CAMPAIGNS:add'],
  test_keys: true,
  params: idParams('TEMPLATE_NOT_FOUND'),
  output: Template.extend({
    /** Drafts and running or scheduled campaigns that use it. */
    used_in: z.array(
      z.object({ kind: z.literal('campaign'), id: z.string(), name: z.string(), status: z.enum(CAMPAIGN_STATUSES) }),
    ),
    sent_count: z.int(),
  }),
  links: LINKS,
  problems: ['TEMPLATE_NOT_FOUND'],
});
export const createTemplate = endpoint({
  id: 'templates.create',
  method: 'POST',
  path: '/v1/templates',
  summary: 'Create a template; WhatsApp and Viber templates are submitted for review immediately',
  needs: 'TEMPLATES:add',
  verified: true,
  body: z.object({ channel: channel('TEMPLATE_CHANNEL_INVALID', 'TEMPLATE_CHANNEL_REQUIRED'), ...fields }),
  empty: 'TEMPLATE_DATA_REQUIRED',
  status: 201,
  idempotent: true,
  output: Template,
  links: LINKS,
  problems: [...RULES, 'TEMPLATE_DATA_REQUIRED', 'ACCOUNT_UNVERIFIED'],
});
export const updateTemplate = endpoint({
  id: 'templates.update',
  method: 'PUT',
  path: '/v1/templates/{id}',
  summary: 'Update a template; omitted fields keep their values. Changes are reviewed if the channel requires it',
  needs: 'TEMPLATES:edit',
  verified: true,
  params: idParams('TEMPLATE_NOT_FOUND'),
  body: z.object({ ...fields, name: name.optional() }),
  empty: 'TEMPLATE_DATA_REQUIRED',
  output: Template,
  links: LINKS,
  problems: [...RULES, 'TEMPLATE_DATA_REQUIRED', 'TEMPLATE_NOT_FOUND', 'TEMPLATE_UNDER_REVIEW', 'ACCOUNT_UNVERIFIED'],
});
export const removeTemplate = endpoint({
  id: 'templates.remove',
  method: 'DELETE',
  path: '/v1/templates/{id}',
  summary: 'Delete a template that is not under review; sent messages keep their text',
  needs: 'TEMPLATES:delete',
  params: idParams('TEMPLATE_NOT_FOUND'),
  status: 204,
  output: z.null(),
  problems: ['TEMPLATE_NOT_FOUND', 'TEMPLATE_UNDER_REVIEW', 'TEMPLATE_IN_USE'],
});
/** Synchronizes immediately instead of waiting for the next callback. */
export const syncTemplates = endpoint({
  id: 'template_syncs.create',
  method: 'POST',
  path: '/v1/template_syncs',
  summary: 'Sync the account’s WhatsApp templates with WhatsApp',
  needs: 'TEMPLATES:edit',
  verified: true,
  body: z.object({}),
  timeout_ms: 30_000,
  output: z.object({
    checked: z.int(),
    changed: z.int(),
    failed: z.array(z.object({ sender: z.string(), text: z.string() })),
  }),
  problems: ['ACCOUNT_UNVERIFIED', 'EXPORT_LIMIT_REACHED'],
});

export const templateCreated = event({
  id: 'template.created',
  modules: ['templates'],
  needs: 'TEMPLATES:view',
  payload: Template,
});
/** The template was changed or reviewed. */
export const templateUpdated = event({
  id: 'template.updated',
  modules: ['templates'],
  needs: 'TEMPLATES:view',
  payload: Template,
});
export const templateRemoved = event({
  id: 'template.removed',
  modules: ['templates'],
  needs: 'TEMPLATES:view',
  payload: z.object({ id: z.string(), account_id: z.string() }),
});
