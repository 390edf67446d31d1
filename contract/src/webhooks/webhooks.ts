/** Webhooks: URLs that receive events, their deliveries, and what customers can do about failed ones. */
import { z } from 'zod';
import { CHANNELS } from '../channels/names.ts';
import {
  filterWord,
  idParams,
  listQuery,
  matchWord,
  optional,
  problem,
  timestamp,
  timestampInput,
  uuid,
} from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { type StatusWord, statusWord } from '../status.ts';
import { WEBHOOK_EVENT_NAMES } from './catalogue.ts';

/** The events of webhooks that are set up with `event`: inbound messages, and final statuses of outbound messages. */
export const SIMPLE_EVENTS = ['message', 'delivery'] as const;
export const ENCODINGS = ['base64', 'hex'] as const;
/**
 * The dated versions of the payloads. A change that could break a receiver adds a version, and each webhook keeps the
 * one that was current when it was added. New fields and new events add none.
 */
export const PAYLOAD_VERSIONS = ['2026-11-30'] as const;
export const MAX_URL = 1_000;
export const MAX_WEBHOOKS = 20;
/** How long the previous secret is used along with the new one after a rotation. */
export const SECRET_GRACE_SECONDS = 86_400;

export const WEBHOOK_STATES = ['active', 'paused', 'disabled'] as const;
export const WEBHOOK_STATUS: Readonly<Record<(typeof WEBHOOK_STATES)[number], StatusWord>> = {
  active: statusWord('Active', 'ok', 'check'),
  paused: statusWord('Paused', 'wait', 'paused'),
  disabled: statusWord('Disabled', 'fail', 'ban'),
};
export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const;
export const DELIVERY_STATUS: Readonly<Record<(typeof DELIVERY_STATES)[number], StatusWord>> = {
  pending: statusWord('Pending', 'flight', 'progress'),
  delivered: statusWord('Delivered', 'ok', 'check'),
  failed: statusWord('Failed', 'fail', 'cross'),
};

/** The maximum length of certificates and keys in PEM format. */
export const MAX_PEM = 20_000;

const ClientCertificate = z.object({
  /** The certificate, with its chain. Your server must trust it. */
  pem: z.string(),
  subject: z.string(),
  /** SHA-256. */
  fingerprint: z.string(),
  /** `generated`: Parley made the key, and the certificate is self-signed. */
  source: z.enum(['generated', 'uploaded']),
  expire_date: timestamp,
});

const Filters = z.object({
  /** Empty means all channels. */
  channels: z.array(z.string()),
  /** Empty means all senders. */
  sender_ids: z.array(z.string()),
});

export const Webhook = z.object({
  id: z.string(),
  account_id: z.string(),
  url: z.string(),
  /** Masked for callers who cannot edit webhooks. */
  secret: z.string(),
  /** `message` or `delivery`; null for a webhook with `events`. */
  event: z.enum(SIMPLE_EVENTS).nullable(),
  events: z.array(z.string()),
  filters: Filters,
  signature_header: z.string(),
  signature_encoding: z.enum(ENCODINGS),
  /** The version of the payloads, which each request has in the header `webhook-version`. */
  payload_version: z.enum(PAYLOAD_VERSIONS),
  /** Presented to your server (mutual TLS); null without one. */
  client_certificate: ClientCertificate.nullable(),
  /** The only certificate authorities that your server's certificate may have, in PEM; null for the public ones. */
  server_ca: z.string().nullable(),
  status: z.enum(WEBHOOK_STATES),
  /** The time since which all attempts have failed; null if the last one succeeded. */
  failing_since: timestamp.nullable(),
  previous_secret_expire_date: timestamp.nullable(),
  pending_count: z.int(),
  create_date: timestamp,
  update_date: timestamp,
  links: z.object({ self: z.string(), account: z.string() }),
});
export type Webhook = z.output<typeof Webhook>;

export const WebhookAttempt = z.object({
  at: z.string(),
  /** Null without a response. */
  response_status: z.int().nullable(),
  /** The first 1,000 characters. */
  response_body: z.string().nullable(),
  error: z.string().nullable(),
  ms: z.int(),
});
export type WebhookAttempt = z.output<typeof WebhookAttempt>;

export const WebhookDelivery = z.object({
  id: z.string(),
  account_id: z.string(),
  webhook_id: z.string(),
  event: z.string(),
  status: z.enum(DELIVERY_STATES),
  /** The message that the event is about. */
  message_id: z.string().nullable(),
  attempts_count: z.int(),
  response_status: z.int().nullable(),
  error: z.string().nullable(),
  /** The next attempt of a pending delivery. */
  next_date: timestamp.nullable(),
  create_date: timestamp,
  update_date: timestamp,
});
export type WebhookDelivery = z.output<typeof WebhookDelivery>;

export const WebhookDeliveryDetail = WebhookDelivery.extend({
  /** The body of the request. */
  request_body: z.string(),
  attempts: z.array(WebhookAttempt),
});
export type WebhookDeliveryDetail = z.output<typeof WebhookDeliveryDetail>;

const url = z
  .string({ error: problem('WEBHOOK_URL_REQUIRED') })
  .trim()
  .min(1, { error: problem('WEBHOOK_URL_REQUIRED') })
  .max(MAX_URL, { error: problem('WEBHOOK_URL_TOO_LONG') });
const secret = z
  .string({ error: problem('WEBHOOK_SECRET_REQUIRED') })
  .trim()
  .min(1, { error: problem('WEBHOOK_SECRET_REQUIRED') })
  .max(200, { error: problem('WEBHOOK_SECRET_INVALID') })
  .regex(/^[\x21-\x7e]*$/, { error: problem('WEBHOOK_SECRET_INVALID') });
const simpleEvent = z
  .string({ error: problem('WEBHOOK_EVENT_REQUIRED') })
  .min(1, { error: problem('WEBHOOK_EVENT_REQUIRED') })
  .transform((text) => matchWord(SIMPLE_EVENTS, text))
  .pipe(z.enum(SIMPLE_EVENTS, { error: problem('WEBHOOK_EVENT_INVALID') }));
const events = z
  .array(z.enum(WEBHOOK_EVENT_NAMES as [string, ...string[]], { error: problem('WEBHOOK_EVENTS_INVALID') }))
  .min(1, { error: problem('WEBHOOK_EVENT_REQUIRED') })
  .max(WEBHOOK_EVENT_NAMES.length);
const filters = z.object({
  channels: z.array(z.enum(CHANNELS)).max(10).optional(),
  sender_ids: z.array(uuid()).max(100).optional(),
});
const signature_header = z
  .string()
  .trim()
  .regex(/^[A-Za-z][A-Za-z0-9-]{0,63}$/, { error: problem('WEBHOOK_HEADER_INVALID') })
  .refine((text) => !RESERVED.test(text), { error: problem('WEBHOOK_HEADER_INVALID') });
const server_ca = z
  .string()
  .trim()
  .max(MAX_PEM, { error: problem('WEBHOOK_CA_INVALID') })
  .nullable();
/** Headers that a webhook cannot set. */
const RESERVED = new RegExp(
  '^(host|connection|content-.*|transfer-encoding|user-agent|accept.*|webhook-.*|cookie|authorization|expect|te|' +
    'upgrade|proxy-.*|trailer)$',
  'i',
);

export const listWebhooks = endpoint({
  id: 'webhooks.list',
  method: 'GET',
  path: '/v1/webhooks',
  summary: 'List the webhooks, newest first',
  needs: 'WEBHOOKS:view',
  query: listQuery({}),
  list: true,
  output: Webhook,
  problems: [],
});
export const getWebhook = endpoint({
  id: 'webhooks.get_one',
  method: 'GET',
  path: '/v1/webhooks/{id}',
  summary: 'Get a webhook',
  needs: 'WEBHOOKS:view',
  params: idParams('WEBHOOK_NOT_FOUND'),
  output: Webhook,
  problems: ['WEBHOOK_NOT_FOUND'],
});

const FIELD_PROBLEMS = [
  'WEBHOOK_URL_REQUIRED',
  'WEBHOOK_URL_TOO_LONG',
  'WEBHOOK_DOMAIN_NOT_ALLOWED',
  'WEBHOOK_SECRET_REQUIRED',
  'WEBHOOK_SECRET_INVALID',
  'WEBHOOK_EVENT_REQUIRED',
  'WEBHOOK_EVENT_INVALID',
  'WEBHOOK_EVENTS_INVALID',
  'WEBHOOK_HEADER_INVALID',
  'WEBHOOK_CA_INVALID',
  'WEBHOOK_HTTPS_REQUIRED',
  'WEBHOOK_EXISTS',
] as const;

const settings = {
  url,
  secret,
  event: simpleEvent,
  events,
  filters,
  signature_header,
  signature_encoding: z.enum(ENCODINGS),
  /** Up to 5 certificates. Null or an empty text means the public certificate authorities. */
  server_ca,
};

/** With `event`, the webhook sends one simple event; with `events`, any number of events from the catalog. */
export const createWebhook = endpoint({
  id: 'webhooks.create',
  method: 'POST',
  path: '/v1/webhooks',
  summary: 'Create a webhook; without a secret, one is generated',
  needs: 'WEBHOOKS:add',
  body: z.object({
    url,
    secret: optional(secret),
    event: optional(simpleEvent),
    events: optional(events),
    filters: optional(filters),
    signature_header: optional(signature_header),
    signature_encoding: optional(settings.signature_encoding),
    server_ca: optional(settings.server_ca),
  }),
  empty: 'WEBHOOK_DATA_REQUIRED',
  status: 201,
  output: Webhook,
  problems: [...FIELD_PROBLEMS, 'WEBHOOK_DATA_REQUIRED', 'WEBHOOKS_LIMIT_EXCEEDED'],
});
export const updateWebhook = endpoint({
  id: 'webhooks.update',
  method: 'PUT',
  path: '/v1/webhooks/{id}',
  summary: 'Change, pause, or resume a webhook',
  needs: 'WEBHOOKS:edit',
  params: idParams('WEBHOOK_NOT_FOUND'),
  body: z
    .object({
      ...settings,
      /** A paused webhook keeps its deliveries until it is resumed. */
      status: z.enum(['active', 'paused']),
    })
    .partial(),
  empty: 'WEBHOOK_DATA_REQUIRED',
  output: Webhook,
  problems: ['WEBHOOK_NOT_FOUND', 'WEBHOOK_DATA_REQUIRED', ...FIELD_PROBLEMS],
});
export const removeWebhook = endpoint({
  id: 'webhooks.remove',
  method: 'DELETE',
  path: '/v1/webhooks/{id}',
  summary: 'Delete a webhook; its pending deliveries are not sent',
  needs: 'WEBHOOKS:delete',
  params: idParams('WEBHOOK_NOT_FOUND'),
  status: 204,
  output: z.null(),
  problems: ['WEBHOOK_NOT_FOUND'],
});
export const rotateWebhookSecret = endpoint({
  id: 'webhooks.rotate',
  method: 'POST',
  path: '/v1/webhooks/{id}/rotations',
  summary: 'Replace the secret; for 24 hours, deliveries are signed with both',
  needs: 'WEBHOOKS:edit',
  params: idParams('WEBHOOK_NOT_FOUND'),
  body: z.object({ secret: secret.optional() }),
  status: 201,
  output: Webhook,
  problems: ['WEBHOOK_NOT_FOUND', 'WEBHOOK_SECRET_REQUIRED', 'WEBHOOK_SECRET_INVALID'],
});
export const sendWebhookExample = endpoint({
  id: 'webhooks.send_example',
  method: 'POST',
  path: '/v1/webhooks/{id}/examples',
  summary: 'Send an example event to the webhook',
  needs: 'WEBHOOKS:edit',
  params: idParams('WEBHOOK_NOT_FOUND'),
  body: z.object({ event: z.string().max(60).optional() }),
  status: 202,
  output: WebhookDelivery,
  problems: ['WEBHOOK_NOT_FOUND', 'WEBHOOK_EVENTS_INVALID', 'WEBHOOK_NOT_ACTIVE'],
});

/**
 * Resends all deliveries whose last attempt failed since a certain time, including those waiting for their next
 * attempt.
 */
export const recoverWebhook = endpoint({
  id: 'webhooks.recover',
  method: 'POST',
  path: '/v1/webhooks/{id}/recoveries',
  summary:
    'Resend up to 10,000 deliveries whose last attempt has failed since a given time, without waiting for a retry',
  needs: 'WEBHOOKS:edit',
  params: idParams('WEBHOOK_NOT_FOUND'),
  body: z.object({ since: timestampInput('VALUE_INVALID') }),
  status: 202,
  output: z.object({ count: z.int() }),
  problems: ['WEBHOOK_NOT_FOUND', 'WEBHOOK_NOT_ACTIVE'],
});
export const listWebhookDeliveries = endpoint({
  id: 'webhooks.list_deliveries',
  method: 'GET',
  path: '/v1/webhooks/{id}/deliveries',
  summary: 'List the deliveries of a webhook, newest first',
  needs: 'WEBHOOKS:view',
  params: idParams('WEBHOOK_NOT_FOUND'),
  query: listQuery({ status: filterWord(DELIVERY_STATES, 'VALUE_INVALID'), message_id: uuid() }),
  list: true,
  output: WebhookDelivery,
  problems: ['WEBHOOK_NOT_FOUND'],
});
const deliveryParams = z.object({ id: uuid('WEBHOOK_NOT_FOUND'), delivery_id: uuid('WEBHOOK_DELIVERY_NOT_FOUND') });
export const getWebhookDelivery = endpoint({
  id: 'webhooks.get_delivery',
  method: 'GET',
  path: '/v1/webhooks/{id}/deliveries/{delivery_id}',
  summary: 'Get a delivery with its request and the responses',
  needs: 'WEBHOOKS:edit',
  params: deliveryParams,
  output: WebhookDeliveryDetail,
  problems: ['WEBHOOK_NOT_FOUND', 'WEBHOOK_DELIVERY_NOT_FOUND'],
});
export const resendWebhookDelivery = endpoint({
  id: 'webhooks.resend',
  method: 'POST',
  path: '/v1/webhooks/{id}/deliveries/{delivery_id}/resend',
  summary: 'Resend a delivery now',
  needs: 'WEBHOOKS:edit',
  params: deliveryParams,
  status: 202,
  output: WebhookDelivery,
  problems: ['WEBHOOK_NOT_FOUND', 'WEBHOOK_DELIVERY_NOT_FOUND', 'WEBHOOK_NOT_ACTIVE'],
});

export const webhooksChanged = event({
  id: 'webhook.changed',
  modules: ['webhooks'],
  needs: 'WEBHOOKS:view',
  payload: z.object({ id: z.string() }),
});
