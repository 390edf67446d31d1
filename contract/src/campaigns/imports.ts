/** Campaigns to the contacts in a file, instead of an audience. */
import { z } from 'zod';
import { MAX_IMPORT_BYTES } from '../audiences/imports.ts';
import { channel } from '../channels/field.ts';
import { DEFAULT_CHANNEL } from '../channels/names.ts';
import { country, idParams, timestamp } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { createCampaign, draftFields } from './drafts.ts';

/** `started`: the import is completed, and the campaign has started or is waiting for its time. */
export const CAMPAIGN_IMPORT_STATUSES = ['importing', 'started', 'failed'] as const;

export const CampaignImport = z.object({
  id: z.string(),
  account_id: z.string(),
  campaign_id: z.string(),
  /** The import of the file, which has its own page and list of refused rows. */
  import_id: z.string(),
  /** The new audience; null until the import is completed. */
  audience_id: z.string().nullable(),
  status: z.enum(CAMPAIGN_IMPORT_STATUSES),
  total_rows: z.int(),
  processed_rows: z.int(),
  created_count: z.int(),
  duplicate_count: z.int(),
  invalid_count: z.int(),
  /** Why the import failed or the campaign could not start. The campaign stays a draft. */
  error_code: z.int().nullable(),
  error_message: z.string().nullable(),
  create_date: timestamp,
  update_date: timestamp,
});
export type CampaignImport = z.output<typeof CampaignImport>;

const { audience: _, audience_ids: __, excluded_audience_ids: ___, ...fields } = draftFields;

/**
 * Multipart: `file` (CSV or XLSX), and the fields of a campaign as JSON in `data`. The response has the ID immediately.
 * The campaign starts when the import is completed, or at its scheduled time.
 */
export const createCampaignImport = endpoint({
  id: 'campaign_imports.create',
  method: 'POST',
  path: '/v1/campaign_imports',
  summary: 'Create a campaign for the contacts in a file',
  needs: 'CAMPAIGNS:add',
  test_keys: true,
  uncounted_spend: true,
  upload: { max_bytes: MAX_IMPORT_BYTES },
  body: z.object({
    ...fields,
    channel: channel('MESSAGE_CHANNEL_INVALID').default(DEFAULT_CHANNEL),
    /** The country of numbers written without a country code. */
    default_country: country().optional(),
  }),
  timeout_ms: 60_000,
  status: 201,
  output: CampaignImport,
  problems: [
    ...createCampaign.problems.filter((name) => !name.startsWith('IDEMPOTENCY')),
    'REQUEST_TOO_LARGE',
    'CONTENT_TYPE_NOT_SUPPORTED',
    'IMPORT_LIMIT_EXCEEDED',
    'IMPORT_NUMBER_COLUMN_REQUIRED',
    'IMPORT_DELIMITER_INVALID',
    'IMPORT_COLUMNS_LIMIT_EXCEEDED',
    'IMPORT_ROWS_LIMIT_EXCEEDED',
    'IMPORT_FILE_UNREADABLE',
    'IMPORT_FILE_INVALID',
    'STORAGE_LIMIT_REACHED',
  ],
});

export const getCampaignImport = endpoint({
  id: 'campaign_imports.get',
  method: 'GET',
  path: '/v1/campaign_imports/{id}',
  summary: 'Get the progress of a campaign for the contacts in a file',
  needs: 'CAMPAIGNS:view',
  test_keys: true,
  params: idParams('IMPORT_NOT_FOUND'),
  output: CampaignImport,
  problems: ['IMPORT_NOT_FOUND'],
});
