/** Webhooks and keys. */
import type { Rows } from './row.ts';

export const WEBHOOKS = {
  1201: [404, 'Webhook not found'],
  1203: [400, 'Webhook data is required'],
  1204: [400, 'URL is required', 'url'],
  1205: [400, 'Secret is required', 'secret'],
  1206: [400, 'Event is required', 'event'],
  1207: [400, 'Event must be MESSAGE or DELIVERY', 'event'],
  1208: [400, 'URL is too long', 'url'],
  1209: [400, 'The domain of the URL is not allowed', 'url'],
  1210: [409, 'There is already a webhook for this event', 'event'],
  // Keys
  1221: [404, 'API key not found'],
  1222: [400, 'API key id is not valid'],
} as const satisfies Rows;
