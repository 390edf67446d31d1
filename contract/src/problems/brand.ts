/** White label. */
import type { Rows } from './row.ts';

export const BRAND = {
  BRAND_NAME_RESERVED: {
    code: 2620,
    status: 400,
    public: 'This name is too similar to the name of this service. Choose another one.',
    field: 'name',
  },
  BRAND_NOT_AVAILABLE: {
    code: 2621,
    status: 409,
    public: 'A brand is for the users of sub-accounts. Create a sub-account first.',
  },
  BRAND_COLOR_INVALID: {
    code: 2622,
    status: 400,
    public: 'The color must have the form #1a2b3c',
    field: 'color',
  },
  BRAND_DOMAIN_NOT_VERIFIED: {
    code: 2623,
    status: 400,
    public: 'Add this domain under Link management, Domains, and verify it first',
    field: 'domain',
  },
  BRAND_SENDER_NOT_VERIFIED: {
    code: 2624,
    status: 400,
    public: 'The address must be on a domain that is verified under Link management, Domains',
    field: 'sender_email',
  },
  BRAND_SENDER_RECORD_MISSING: {
    code: 2625,
    status: 409,
    public: 'The DNS record for signed emails was not found. New records can take a few hours to appear.',
    field: 'sender_email',
  },
  BRAND_IMAGE_INVALID: {
    code: 2626,
    status: 400,
    public: 'A logo must be an SVG, PNG, or JPEG file',
    field: 'file',
  },
  BRAND_IMAGE_NOT_FOUND: { code: 2627, status: 404, public: 'Image not found' },
  BRAND_REVIEW_INVALID: {
    code: 2628,
    status: 400,
    public: 'The address of a review page must begin with https',
    field: 'reviews',
  },
  BRAND_NAME_REQUIRED: { code: 2629, status: 400, public: 'The name must have at least 2 characters', field: 'name' },
} as const satisfies Rows;
