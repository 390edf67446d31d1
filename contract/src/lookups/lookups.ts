/** Carrier lookups: the network, the type, and the state of phone numbers. */
import { z } from 'zod';
import { tagList } from '../audiences/person_facts.ts';
import {
  commaList,
  currency,
  idParams,
  listQuery,
  matchWord,
  micros,
  plainName,
  problem,
  search,
  timestamp,
  uuid,
} from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { IDEMPOTENCY_PROBLEMS } from '../problems/groups.ts';
import { BULK_STATUSES } from './bulk_statuses.ts';

/**
 * `good`: a number that can get messages. `bad`: a number that is not in use. `unknown`: the provider did not find it,
 * so it is free.
 */
export const LOOKUP_STATUSES = ['pending', 'good', 'bad', 'landline', 'unknown'] as const;
export type LookupStatus = (typeof LOOKUP_STATUSES)[number];
export const LINE_TYPES = ['mobile', 'landline', 'voip', 'toll_free', 'other'] as const;
export const LIVE_STATUSES = ['active', 'absent', 'inactive'] as const;

/** The maximum age of a result that is reused. */
export const CACHE_HOURS = 24;
/** The maximum age of results whose network determines the route and price of messages. */
export const NETWORK_DAYS = 30;

export const NumberLookup = z.object({
  id: z.string(),
  account_id: z.string(),
  bulk_id: z.string().nullable(),
  number: z.string(),
  country: z.string(),
  status: z.enum(LOOKUP_STATUSES),
  /** False if the result comes from the numbering plan, which does not contain the current state of a number. */
  is_live: z.boolean(),
  /** Whether the phone was reachable; null if the provider does not report it. */
  live_status: z.enum(LIVE_STATUSES).nullable(),
  /** The network that the number was assigned to. */
  network: z.string().nullable(),
  /** The network that the number belongs to now. */
  operator: z.string().nullable(),
  line_type: z.enum(LINE_TYPES).nullable(),
  ported: z.boolean().nullable(),
  mccmnc: z.string().nullable(),
  provider: z.string(),
  price_micros: micros,
  currency,
  charged: z.boolean(),
  /** When the result was determined. It is older than the lookup if the result was reused. */
  result_date: timestamp.nullable(),
  is_cached: z.boolean(),
  create_date: timestamp,
});
export type NumberLookup = z.output<typeof NumberLookup>;

export const LookupPrice = z.object({
  /** The price of a number that is found. Others are free. */
  price_micros: micros,
  currency,
  provider: z.string(),
  is_live: z.boolean(),
});
export type LookupPrice = z.output<typeof LookupPrice>;

export const getLookupPrice = endpoint({
  id: 'number_lookups.price',
  method: 'GET',
  path: '/v1/number-lookups/price',
  summary: 'Get the price of a lookup',
  needs: 'SHORT_URLS:view',
  output: LookupPrice,
  problems: [],
});

export const listNumberLookups = endpoint({
  id: 'number_lookups.list',
  method: 'GET',
  path: '/v1/number-lookups',
  summary: 'List lookups, newest first',
  needs: 'SHORT_URLS:view',
  sorts: ['create_date'],
  query: listQuery({ search, statuses: commaList(z.enum(LOOKUP_STATUSES)), bulk_id: uuid() }),
  list: true,
  output: NumberLookup,
  problems: [],
});

export const getNumberLookup = endpoint({
  id: 'number_lookups.get',
  method: 'GET',
  path: '/v1/number-lookups/{id}',
  summary: 'Get a lookup',
  needs: 'SHORT_URLS:view',
  params: idParams('LOOKUP_NOT_FOUND'),
  output: NumberLookup,
  problems: ['LOOKUP_NOT_FOUND'],
});

/** The result arrives later if the provider reports it by callback: the status is `pending` until then. */
export const createNumberLookup = endpoint({
  id: 'number_lookups.create',
  method: 'POST',
  path: '/v1/number-lookups',
  summary: 'Look up a phone number. You are charged only if it is found',
  needs: 'SHORT_URLS:add',
  uncounted_spend: true,
  body: z.object({
    number: z
      .string({ error: problem('USER_PHONE_INVALID') })
      .trim()
      .min(1, { error: problem('USER_PHONE_INVALID') })
      .max(45, { error: problem('USER_PHONE_INVALID') }),
    /** Looks the number up again, even if there is a recent result. */
    refresh: z.boolean().default(false),
  }),
  status: 201,
  idempotent: true,
  output: NumberLookup,
  problems: [...IDEMPOTENCY_PROBLEMS, 'USER_PHONE_INVALID', 'BALANCE_NOT_ENOUGH'],
});

export const removeNumberLookup = endpoint({
  id: 'number_lookups.remove',
  method: 'DELETE',
  path: '/v1/number-lookups/{id}',
  summary: 'Delete a finished lookup',
  needs: 'SHORT_URLS:delete',
  params: idParams('LOOKUP_NOT_FOUND'),
  status: 204,
  output: z.null(),
  problems: ['LOOKUP_NOT_FOUND', 'LOOKUP_PENDING'],
});

export const BulkLookup = z.object({
  id: z.string(),
  account_id: z.string(),
  name: z.string(),
  /** The audience that the numbers come from; null for a file. */
  audience_id: z.string().nullable(),
  status: z.enum(BULK_STATUSES),
  total: z.int(),
  done: z.int(),
  /** Rows without a valid number. */
  invalid: z.int(),
  good: z.int(),
  bad: z.int(),
  landline: z.int(),
  unknown: z.int(),
  ported: z.int(),
  /** The sum of the charged lookups. */
  cost_micros: micros,
  currency,
  create_date: timestamp,
  update_date: timestamp,
});
export type BulkLookup = z.output<typeof BulkLookup>;

export const MAX_BULK_NUMBERS = 100_000;
export const MAX_BULK_BYTES = 5 * 1024 * 1024;

export const listBulkLookups = endpoint({
  id: 'bulk_lookups.list',
  method: 'GET',
  path: '/v1/bulk-lookups',
  summary: 'List bulk lookups, newest first',
  needs: 'SHORT_URLS:view',
  query: listQuery({ search }),
  list: true,
  output: BulkLookup,
  problems: [],
});

export const getBulkLookup = endpoint({
  id: 'bulk_lookups.get',
  method: 'GET',
  path: '/v1/bulk-lookups/{id}',
  summary: 'Get a bulk lookup',
  needs: 'SHORT_URLS:view',
  params: idParams('BULK_LOOKUP_NOT_FOUND'),
  output: BulkLookup,
  problems: ['BULK_LOOKUP_NOT_FOUND'],
});

/** Multipart: `file` (CSV, one number per row), or `audience` without a file. */
export const createBulkLookup = endpoint({
  id: 'bulk_lookups.create',
  method: 'POST',
  path: '/v1/bulk-lookups',
  summary: 'Look up the numbers in a file or an audience',
  needs: 'SHORT_URLS:add',
  uncounted_spend: true,
  upload: { max_bytes: MAX_BULK_BYTES },
  query: z.object({
    type: z
      .string()
      .transform((text) => matchWord(['HLR'], text.toUpperCase()))
      .pipe(z.enum(['HLR'], { error: problem('LOOKUP_TYPE_INVALID') }))
      .default('HLR'),
  }),
  body: z.object({ audience: uuid('AUDIENCE_ID_INVALID').optional() }),
  timeout_ms: 60_000,
  status: 201,
  output: BulkLookup,
  problems: [
    'LOOKUP_TYPE_INVALID',
    'IMPORT_FILE_INVALID',
    'IMPORT_ROWS_LIMIT_EXCEEDED',
    'AUDIENCE_ID_INVALID',
    'AUDIENCE_NOT_FOUND',
    'BALANCE_NOT_ENOUGH',
    'REQUEST_TOO_LARGE',
    'CONTENT_TYPE_NOT_SUPPORTED',
  ],
});

export const updateBulkLookup = endpoint({
  id: 'bulk_lookups.update',
  method: 'PUT',
  path: '/v1/bulk-lookups/{id}',
  summary: 'Pause or resume a bulk lookup',
  needs: 'SHORT_URLS:edit',
  uncounted_spend: true,
  params: idParams('BULK_LOOKUP_NOT_FOUND'),
  body: z.object({ status: z.enum(['paused', 'in_progress']) }),
  output: BulkLookup,
  problems: ['BULK_LOOKUP_NOT_FOUND', 'BULK_LOOKUP_COMPLETED'],
});

export const removeBulkLookup = endpoint({
  id: 'bulk_lookups.remove',
  method: 'DELETE',
  path: '/v1/bulk-lookups/{id}',
  summary: 'Delete a bulk lookup and its results. Numbers not yet looked up are not charged',
  needs: 'SHORT_URLS:delete',
  params: idParams('BULK_LOOKUP_NOT_FOUND'),
  status: 204,
  output: z.null(),
  problems: ['BULK_LOOKUP_NOT_FOUND', 'LOOKUP_PENDING'],
});

const group = z.enum(['good', 'bad', 'landline', 'unknown']);
const statuses = z
  .array(group)
  .min(1)
  .transform((all) => [...new Set(all)]);

/** The tags for people, by the result of their number. */
export const RESULT_TAGS: Readonly<Record<z.output<typeof group>, string>> = {
  good: 'Good number',
  bad: 'Bad number',
  landline: 'Landline',
  unknown: 'Unknown number',
};

/** The actions for the numbers of a finished bulk lookup. */
export const applyBulkLookup = endpoint({
  id: 'bulk_lookups.apply',
  method: 'POST',
  path: '/v1/bulk-lookups/{id}/actions',
  summary:
    'Create an audience from the results, tag the numbers, add them to the stop list, or remove them from the audience',
  needs: 'SHORT_URLS:edit',
  uncounted_spend: true,
  params: idParams('BULK_LOOKUP_NOT_FOUND'),
  body: z.object({
    action: z.enum(['create_audience', 'tag', 'add_to_stop_list', 'remove_from_audience']),
    statuses,
    /** For the action `tag`. Empty means the result of each number, such as “Landline”. */
    tags: tagList.default([]),
    name: plainName({ max: 45 }).default(''),
  }),
  idempotent: true,
  output: z.object({ count: z.int(), audience_id: z.string().nullable() }),
  problems: [
    ...IDEMPOTENCY_PROBLEMS,
    'BULK_LOOKUP_NOT_FOUND',
    'AUDIENCE_NOT_FOUND',
    'PERMISSION_REQUIRED',
    'TAG_INVALID',
    'TAGS_LIMIT_EXCEEDED',
  ],
});

export const numberLookupChanged = event({
  id: 'number_lookup.changed',
  modules: ['number_lookups'],
  needs: 'SHORT_URLS:view',
  payload: z.object({ id: z.string(), status: z.enum(LOOKUP_STATUSES) }),
});

export const bulkLookupChanged = event({
  id: 'bulk_lookup.changed',
  modules: ['bulk_lookups', 'number_lookups'],
  needs: 'SHORT_URLS:view',
  payload: z.object({ id: z.string(), status: z.string(), done: z.int(), total: z.int() }),
});
