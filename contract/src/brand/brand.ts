/**
 * White label: the name, logo, color, domain, and email sender that customers see. Operators set the brand of the
 * installation. An account with sub-accounts sets the brand that its sub-accounts see.
 */
import { z } from 'zod';
import { plainName, problem, uuid } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { BrandPalette } from './palette_shape.ts';

export const LOGO_TYPES = ['.svg', '.png', '.jpg', '.jpeg'] as const;
export const MAX_LOGO_BYTES = 200 * 1024;
export const MAX_REVIEWS = 6;

const color = z.string().regex(/^#[0-9a-f]{6}$/i, { error: problem('BRAND_COLOR_INVALID') });

const Image = z.object({ id: z.string(), url: z.string() });
const Review = z.object({ label: z.string(), href: z.string(), image: Image.nullable() });

export const BrandSettings = z.object({
  /** True if the account has its own brand. Otherwise, the other fields show the brand that it inherits. */
  is_own: z.boolean(),
  /** True if the account can have a brand: the operators' account, and accounts with sub-accounts. */
  is_available: z.boolean(),
  /** True for the brand of the installation, which operators set. */
  is_installation: z.boolean(),
  name: z.string(),
  /** The chosen color. Null means the app's colors. */
  color: z.string().nullable(),
  /** The colors derived from `color`. Every text in them has a contrast of at least 4.5. */
  palette: BrandPalette.nullable(),
  /** A verified domain of the account that points to this app. */
  domain: z.string().nullable(),
  /** False if the domain is no longer verified. The brand then has no domain. */
  domain_verified: z.boolean(),
  sender_email: z.string().nullable(),
  /** The DNS record that lets this installation sign emails of the sender's domain. Null if it does not sign emails. */
  sender_record: z.object({ name: z.string(), value: z.string() }).nullable(),
  logo: Image.nullable(),
  /** For the dark theme. Null means the same logo. */
  logo_dark: Image.nullable(),
  /** Review pages, linked below sign-in and sign-up. Only the installation has them. */
  reviews: z.array(Review),
});
export type BrandSettings = z.output<typeof BrandSettings>;

export const getBrand = endpoint({
  id: 'brand.get',
  method: 'GET',
  path: '/v1/brand',
  summary: 'Get the brand that your sub-accounts see, or for operators, the brand of the installation',
  needs: 'ACCOUNTS:view',
  audience: 'session',
  output: BrandSettings,
  problems: [],
});

export const updateBrand = endpoint({
  id: 'brand.update',
  method: 'PUT',
  path: '/v1/brand',
  summary: 'Set the brand. The domain must be a verified domain of the account, and the sender must be on one',
  needs: 'ACCOUNTS:edit',
  audience: 'session',
  body: z.object({
    name: plainName({ min: 2, max: 40, missing: 'BRAND_NAME_REQUIRED' }),
    color: color.nullable().default(null),
    domain: z.string().trim().toLowerCase().max(253).nullable().default(null),
    sender_email: z
      .string()
      .trim()
      .toLowerCase()
      .pipe(z.email({ error: problem('EMAIL_INVALID') }).max(200))
      .nullable()
      .default(null),
    /** An image that was uploaded for this brand. */
    logo_id: uuid('BRAND_IMAGE_NOT_FOUND').nullable().default(null),
    logo_dark_id: uuid('BRAND_IMAGE_NOT_FOUND').nullable().default(null),
    reviews: z
      .array(
        z.object({
          /** The name of the review page, which is also its image's alternative text. */
          label: plainName({ min: 1, max: 60 }),
          href: z
            .string()
            .trim()
            .max(1_000)
            .refine((text) => /^https:\/\/[^\s/.]+\.[^\s/]+/.test(text) && URL.canParse(text), {
              error: problem('BRAND_REVIEW_INVALID'),
            }),
          image_id: uuid('BRAND_IMAGE_NOT_FOUND').nullable().default(null),
        }),
      )
      .max(MAX_REVIEWS)
      .default([]),
  }),
  output: BrandSettings,
  problems: [
    'BRAND_NAME_REQUIRED',
    'BRAND_NAME_RESERVED',
    'BRAND_NOT_AVAILABLE',
    'BRAND_COLOR_INVALID',
    'BRAND_DOMAIN_NOT_VERIFIED',
    'BRAND_SENDER_NOT_VERIFIED',
    'BRAND_SENDER_RECORD_MISSING',
    'BRAND_IMAGE_NOT_FOUND',
    'BRAND_REVIEW_INVALID',
    'EMAIL_INVALID',
  ],
});

export const removeBrand = endpoint({
  id: 'brand.remove',
  method: 'DELETE',
  path: '/v1/brand',
  summary: 'Delete the brand and its images. Sub-accounts then see the installation’s brand',
  needs: 'ACCOUNTS:edit',
  audience: 'session',
  status: 204,
  output: z.null(),
  problems: [],
});

export const createBrandImage = endpoint({
  id: 'brand_images.create',
  method: 'POST',
  path: '/v1/brand_images',
  summary:
    'Upload a logo: an SVG, PNG, or JPEG file of at most 200 KB. An SVG with scripts or external links is refused',
  needs: 'ACCOUNTS:edit',
  audience: 'session',
  body: z.object({}),
  upload: { max_bytes: MAX_LOGO_BYTES },
  status: 201,
  output: Image,
  problems: [
    'BRAND_NOT_AVAILABLE',
    'BRAND_IMAGE_INVALID',
    'REQUEST_TOO_LARGE',
    'FILE_CORRUPTED',
    'FILE_CONTENT_MISMATCH',
    'DRAWING_UNSAFE',
  ],
});

export const brandChanged = event({
  id: 'brand.changed',
  modules: ['brand', 'accounts'],
  needs: 'ACCOUNTS:view',
  payload: z.object({ account_id: z.string() }),
});
