/** Webhooks and keys. */
import type { Rows } from './row.ts';

export const WEBHOOKS = {
  WEBHOOK_NOT_FOUND: { code: 1201, status: 404, public: 'Webhook not found' },
  WEBHOOK_DATA_REQUIRED: { code: 1203, status: 400, public: 'Webhook data is required' },
  WEBHOOK_URL_REQUIRED: { code: 1204, status: 400, public: 'URL is required', field: 'url' },
  WEBHOOK_SECRET_REQUIRED: { code: 1205, status: 400, public: 'Secret is required', field: 'secret' },
  WEBHOOK_EVENT_REQUIRED: { code: 1206, status: 400, public: 'Event is required', field: 'event' },
  WEBHOOK_EVENT_INVALID: { code: 1207, status: 400, public: 'Event must be MESSAGE or DELIVERY', field: 'event' },
  WEBHOOK_URL_TOO_LONG: { code: 1208, status: 400, public: 'URL is too long', field: 'url' },
  WEBHOOK_DOMAIN_NOT_ALLOWED: {
    code: 1209,
    status: 400,
    public: 'The domain of the URL is not allowed',
    field: 'url',
    internal: 'The host is private or reserved, or does not resolve to a public address.',
  },
  WEBHOOK_EXISTS: { code: 1210, status: 409, public: 'A webhook for this event already exists', field: 'event' },
  // Keys
  API_KEY_NOT_FOUND: { code: 1221, status: 404, public: 'API key not found' },
  API_KEY_ID_INVALID: { code: 1222, status: 400, public: 'API key ID is not valid' },
} as const satisfies Rows;
