/** Short links and lookups. */
import type { Rows } from './row.ts';

export const LINKS = {
  LINK_NOT_FOUND: { code: 2100, status: 404, public: 'Link not found' },
  LINK_URL_REQUIRED: { code: 2101, status: 400, public: 'URL is required', field: 'url' },
  LINK_URL_INVALID: { code: 2102, status: 400, public: 'The URL cannot be used for a link', field: 'url' },
  LINK_LOOP: {
    code: 2103,
    status: 400,
    public: 'The URL leads back to a short link. Use the final destination.',
    field: 'url',
  },
  LINKS_LIMIT_EXCEEDED: { code: 2104, status: 400, public: 'A text can have at most 5 links', field: 'text' },
  LINK_TAGS_LIMIT_EXCEEDED: { code: 2105, status: 400, public: 'At most 10 tags are allowed', field: 'tags' },
  LINK_EXPIRY_INVALID: {
    code: 2106,
    status: 400,
    public: 'The expiration must be a date and time in the future',
    field: 'expire_date',
  },
  UTM_PRESET_NOT_FOUND: { code: 2656, status: 404, public: 'UTM preset not found' },
  UTM_PRESET_EMPTY: { code: 2657, status: 400, public: 'Enter at least one UTM parameter', field: 'source' },
  UTM_PRESET_EXISTS: { code: 2658, status: 409, public: 'A preset with this name already exists', field: 'name' },
  UTM_PRESETS_LIMIT_EXCEEDED: { code: 2659, status: 400, public: 'An account can have at most 50 UTM presets' },
  LINK_DOMAIN_INVALID: { code: 2107, status: 400, public: 'This is not a valid domain', field: 'domain' },
  LINK_DOMAIN_NOT_SUPPORTED: {
    code: 2108,
    status: 400,
    public: 'Domain not supported. Add the domain and verify it first.',
    field: 'domain',
  },
  LINK_DOMAIN_NOT_FOUND: { code: 2109, status: 404, public: 'Domain not found' },
  LINK_DOMAIN_EXISTS: { code: 2110, status: 409, public: 'This domain is already in use', field: 'host' },
  LINK_DOMAIN_RECORD_MISSING: {
    code: 2111,
    status: 409,
    public: 'The DNS record was not found. New records can take a few hours to appear.',
  },
  LINK_DOMAIN_IN_USE: {
    code: 2112,
    status: 409,
    public: 'Links use this domain. Delete or archive them first.',
  },
  LOOKUP_NOT_FOUND: { code: 2114, status: 404, public: 'Lookup not found' },
  BULK_LOOKUP_NOT_FOUND: { code: 2115, status: 404, public: 'Bulk lookup not found' },
  LOOKUP_PENDING: {
    code: 2116,
    status: 409,
    public: 'The provider is still looking up this number. Try again in a few minutes.',
  },
  LOOKUP_TYPE_INVALID: { code: 2117, status: 400, public: 'Type must be HLR', field: 'type' },
  BULK_LOOKUP_COMPLETED: { code: 2118, status: 409, public: 'This bulk lookup is already completed' },
  LINK_PASSWORD_INVALID: {
    code: 2387,
    status: 400,
    public: 'The password must have 6 to 72 characters',
    field: 'password',
  },
  LINK_DOMAINS_LIMIT_EXCEEDED: { code: 2113, status: 409, public: 'At most 10 domains are allowed', field: 'host' },
} as const satisfies Rows;
