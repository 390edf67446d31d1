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
  WEBHOOK_EVENTS_INVALID: {
    code: 2130,
    status: 400,
    public: 'Events must be names from the list of webhook events',
    field: 'events',
  },
  WEBHOOK_SECRET_INVALID: {
    code: 2131,
    status: 400,
    public: 'The secret can have at most 200 letters, digits, and symbols, without spaces',
    field: 'secret',
  },
  WEBHOOK_HEADER_INVALID: {
    code: 2132,
    status: 400,
    public: 'This header name cannot be used',
    field: 'signature_header',
  },
  WEBHOOKS_LIMIT_EXCEEDED: { code: 2133, status: 409, public: 'An account can have at most 20 webhooks' },
  WEBHOOK_DELIVERY_NOT_FOUND: { code: 2134, status: 404, public: 'Webhook delivery not found' },
  WEBHOOK_NOT_ACTIVE: { code: 2135, status: 409, public: 'Resume the webhook first' },
  // Keys
  API_KEY_NOT_FOUND: { code: 1221, status: 404, public: 'API key not found' },
  API_KEY_ID_INVALID: { code: 1222, status: 400, public: 'API key ID is not valid' },
  API_KEY_ADDRESS_NOT_ALLOWED: {
    code: 2120,
    status: 403,
    public: 'This API key cannot be used from this IP address',
    internal: 'The list of allowed addresses of the key does not contain the address of the caller.',
  },
  API_KEY_EXPIRED: { code: 2121, status: 401, public: 'The API key has expired' },
  API_KEY_NAME_REQUIRED: { code: 2122, status: 400, public: 'Name is required', field: 'name' },
  API_KEY_NAME_TOO_LONG: { code: 2123, status: 400, public: 'Name can have at most 60 characters', field: 'name' },
  API_KEYS_LIMIT_EXCEEDED: {
    code: 2124,
    status: 409,
    public: 'An account can have at most 100 API keys. Delete one that you no longer use.',
  },
  API_KEY_ADDRESS_INVALID: {
    code: 2125,
    status: 400,
    public: 'Enter IP addresses or networks, such as 192.0.2.1 or 192.0.2.0/24',
    field: 'addresses',
  },
  API_KEY_ADDRESSES_LIMIT_EXCEEDED: {
    code: 2126,
    status: 400,
    public: 'An API key can have at most 50 addresses',
    field: 'addresses',
  },
  API_KEY_EXPIRY_INVALID: {
    code: 2127,
    status: 400,
    public: 'The expiry must be a time in the future',
    field: 'expire_date',
  },
  API_KEY_SCOPE_REQUIRED: { code: 2128, status: 400, public: 'Choose at least one scope', field: 'permissions' },
  API_KEY_GRACE_INVALID: {
    code: 2129,
    status: 400,
    public: 'The grace period must be 0 to 604,800 seconds',
    field: 'grace_seconds',
  },
} as const satisfies Rows;
