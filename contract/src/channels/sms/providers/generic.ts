/** Settings of a connection to any SMS provider with an HTTP API. Templates describe the request. */
import { z } from 'zod';
import type { AdapterSettings } from '../../adapter.ts';
import { carrierUrl, secret } from '../../http_settings.ts';
import { CALLBACK_SECRET_INPUT, callbackSecret, providerPace, providerProfile } from './provider_settings.ts';

/**
 * The placeholders of the templates. Numbers have no plus sign, except in `to_e164` and `from_e164`. `basic` is the
 * account and the secret for HTTP basic authentication.
 */
export const GENERIC_PLACEHOLDERS = [
  ...(['to', 'to_e164', 'from', 'from_e164', 'text', 'reference', 'callback_url', 'validity_seconds'] as const),
  ...(['account', 'secret', 'basic'] as const),
] as const;

/** The place of a value in a JSON document, such as `messages.0.id`. Alternatives are separated by `|`. */
const jsonPath = z
  .string()
  .trim()
  .max(200)
  .regex(/^$|^[\w-]+(\.[\w-]+)*(\|[\w-]+(\.[\w-]+)*)*$/, { error: 'must be names or positions separated by dots' });

const isKnownTemplate = (text: string): boolean =>
  [...text.matchAll(/\{(\w+)\}/g)].every(([, name]) => GENERIC_PLACEHOLDERS.some((known) => known === name));

const words = z.string().trim().max(300);

export const GenericSettings = z.object({
  /** The URL that a message is sent to. It can contain `{account}`. */
  base_url: carrierUrl('https://sms.example.com/send'),
  /** The values of `{account}` and `{secret}`, so that a preset needs no other changes. */
  account: z.string().trim().max(200).default(''),
  api_secret: secret,
  /** With GET, the form fields become the query of the URL. */
  method: z.enum(['POST', 'GET']).default('POST'),
  /** `form` encodes values for forms, and `json` for JSON strings. */
  format: z.enum(['json', 'form']).default('json'),
  body: z
    .string()
    .trim()
    .max(4_000)
    .refine(isKnownTemplate, { error: `can contain only the placeholders ${GENERIC_PLACEHOLDERS.join(', ')}` })
    .default('{"to": "{to}", "from": "{from}", "text": "{text}", "callback": "{callback_url}"}'),
  /** The value of the header `Authorization`. Empty if the provider needs none. */
  authorization: z
    .string()
    .trim()
    .max(1_000)
    .regex(/^[\x20-\x7e]*$/, { error: 'can contain letters, digits, symbols, and spaces' })
    .default(''),
  /** Additional headers, one per line. */
  headers: z
    .string()
    .trim()
    .max(2_000)
    .regex(/^$|^[\w-]+:[\x20-\x7e]*(\r?\n[\w-]+:[\x20-\x7e]*)*$/, { error: 'must be lines such as X-Name: value' })
    .refine(isKnownTemplate, { error: `can contain only the placeholders ${GENERIC_PLACEHOLDERS.join(', ')}` })
    .default(''),
  /** The path of the message ID in the response. */
  id_path: jsonPath.default('id'),
  /** The path of the reason in an error response. */
  error_path: jsonPath.default('error'),
  /** The paths of the values in callbacks. A callback with a text is an inbound message. */
  callback_id_path: jsonPath.default('id'),
  callback_status_path: jsonPath.default('status'),
  callback_from_path: jsonPath.default('from'),
  callback_to_path: jsonPath.default('to'),
  callback_text_path: jsonPath.default('text'),
  /** The provider's words for a final status, separated by commas. */
  delivered_words: words.default('delivered, delivrd'),
  failed_words: words.default('failed, undelivered, undeliverable, undeliv, rejected, expired, deleted'),
  callback_secret: callbackSecret,
  /** The header with the HMAC of the callback's body. Empty if the provider signs nothing. */
  signature_header: z
    .string()
    .trim()
    .toLowerCase()
    .max(100)
    .regex(/^[a-z0-9-]*$/, { error: 'can contain letters, digits, and hyphens' })
    .default(''),
  signature_algorithm: z.enum(['sha256', 'sha1', 'sha512']).default('sha256'),
  signature_secret: secret,
  ...providerPace,
});
export type GenericSettings = z.output<typeof GenericSettings>;

export const generic = {
  channel: 'SMS',
  label: 'SMS through another provider (HTTP)',
  guide: {
    name: 'Another provider',
    inner_name: 'another provider',
    keys: 'For any provider with an HTTP API. Use its documentation to fill in a request template.',
    supports: ['receipts', 'replies'],
    callback: 'Enter this URL wherever the provider asks for a callback or webhook URL.',
  },
  url_help: 'The URL that messages are sent to. It can contain {account}.',
  settings: GenericSettings,
  shown: GenericSettings.omit({
    ...{ authorization: true, headers: true, api_secret: true },
    ...{ callback_secret: true, signature_secret: true },
  }),
  secrets: z.enum(['api_secret', 'authorization', 'headers', 'callback_secret', 'signature_secret']),
  profile: providerProfile,
  get defaults() {
    return GenericSettings.parse({});
  },
  credentials: [
    { name: 'account', label: 'Account', description: 'Replaces {account} in the templates.', fact: 'Account' },
    { name: 'api_secret', label: 'API key', description: 'Replaces {secret} in the templates.', secret: true },
    {
      name: 'method',
      heading: 'Request',
      label: 'Method',
      fact: 'Method',
      choices: [
        { value: 'POST', label: 'POST' },
        { value: 'GET', label: 'GET, with the form fields in the URL' },
      ],
    },
    {
      name: 'format',
      label: 'Format',
      description: 'The type of the request body.',
      fact: 'Format',
      choices: [
        { value: 'json', label: 'JSON' },
        { value: 'form', label: 'Form fields' },
      ],
    },
    {
      name: 'authorization',
      label: 'Authorization header',
      description: 'For example: Bearer {secret}, or Basic {basic} for the account and the API key.',
      secret: true,
    },
    {
      name: 'headers',
      label: 'Additional headers',
      description: 'One on each line, for example: X-Api-Key: {secret}',
      secret: true,
      isLong: true,
    },
    {
      name: 'body',
      label: 'Body',
      description:
        `Values replace the placeholders {${GENERIC_PLACEHOLDERS.join('}, {')}}. ` +
        'Numbers have no plus sign, except in {to_e164} and {from_e164}.',
      isLong: true,
      required: true,
    },
    {
      name: 'id_path',
      heading: 'Response',
      label: 'Message ID in the response',
      description: 'The path to the ID, for example: messages.0.id',
    },
    {
      name: 'error_path',
      label: 'Reason in the response',
      description: 'The path to the reason in an error response.',
    },
    { name: 'callback_id_path', heading: 'Callbacks', label: 'Message ID in callbacks' },
    { name: 'callback_status_path', label: 'Status in callbacks' },
    { name: 'callback_from_path', label: 'Sender in callbacks' },
    { name: 'callback_to_path', label: 'Recipient in callbacks' },
    {
      name: 'callback_text_path',
      label: 'Text in callbacks',
      description: 'A callback with text is an inbound message.',
    },
    { name: 'delivered_words', label: 'Delivered statuses', description: 'Separated by commas.' },
    { name: 'failed_words', label: 'Failed statuses', description: 'Separated by commas.' },
    CALLBACK_SECRET_INPUT,
    {
      name: 'signature_header',
      label: 'Signature header',
      description: 'The header with the HMAC of the callback body. If set, the callback secret is not needed.',
    },
    {
      name: 'signature_algorithm',
      label: 'Signature algorithm',
      choices: [
        { value: 'sha256', label: 'HMAC-SHA256' },
        { value: 'sha1', label: 'HMAC-SHA1' },
        { value: 'sha512', label: 'HMAC-SHA512' },
      ],
    },
    { name: 'signature_secret', label: 'Signature secret', secret: true },
  ],
  limits: [],
} as const satisfies AdapterSettings;
