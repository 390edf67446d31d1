/**
 * Bulk jobs: one action for many rows of a list, in the background. The rows are chosen by their IDs or by the filter
 * of the list. A row that refuses the action is counted with its reason, and the others continue.
 */
import { z } from 'zod';
import { idParams, listQuery, timestamp, uuid } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';

/** The actions; actions.ts has their lists and endpoints. */
const BULK_ACTION_NAMES = [
  'remove_contacts',
  'remove_stop_list_entries',
  'remove_templates',
  'remove_campaigns',
  'close_conversations',
  'open_conversations',
  'label_conversations',
  'unlabel_conversations',
  'remove_conversations',
] as const;
export type BulkActionName = (typeof BULK_ACTION_NAMES)[number];

export const MAX_BULK_IDS = 1_000;
export const MAX_BULK_ROWS = 1_000_000;
/** The number of an account's bulk jobs that can be queued or running at the same time. */
export const MAX_UNFINISHED_BULK_JOBS = 5;
/** Days until a bulk job is deleted. */
export const BULK_JOB_DAYS = 7;
/** The longest time between selecting rows and starting their action, in milliseconds. */
const MAX_SELECTION_AGE = 24 * 3_600_000;

export const BulkJob = z.object({
  id: z.string(),
  account_id: z.string(),
  action: z.enum(BULK_ACTION_NAMES),
  /** The parameters in the paths of the list and the action, such as the `id` of the audience. */
  params: z.record(z.string(), z.string()),
  status: z.enum(['pending', 'running', 'completed', 'canceled', 'failed']),
  /** The number of chosen rows; null until they have been found. */
  total_rows: z.int().nullable(),
  done_count: z.int(),
  refused_count: z.int(),
  /** Why rows were refused, the most frequent reasons first. */
  reasons: z.array(z.object({ code: z.int(), message: z.string(), count: z.int() })),
  /** Why the job failed as a whole. */
  error_message: z.string().nullable(),
  user_id: z.string().nullable(),
  create_date: timestamp,
  update_date: timestamp,
});
export type BulkJob = z.output<typeof BulkJob>;

const filterValue = z.union([z.string().max(4_000), z.array(z.string().max(200)).max(200), z.number(), z.boolean()]);

export const createBulkJob = endpoint({
  id: 'bulk_jobs.create',
  method: 'POST',
  path: '/v1/bulk_jobs',
  summary: 'Apply an action to many rows of a list. Requires the permission for the action',
  needs: null,
  uncounted_spend: true,
  audience: 'session',
  body: z.object({
    action: z.enum(BULK_ACTION_NAMES),
    params: z.record(z.string().max(60), z.string().max(100)).default({}),
    /** The rows. If missing, all rows of the list with `filter`. */
    ids: z.array(uuid()).min(1).max(MAX_BULK_IDS).optional(),
    filter: z.record(z.string().max(60), filterValue).default({}),
    /** How long ago the rows were selected, in milliseconds. Rows that are newer than the selection are left out. */
    selection_age: z.int().min(0).max(MAX_SELECTION_AGE).default(0),
  }),
  status: 202,
  idempotent: true,
  output: BulkJob,
  problems: [
    'PERMISSION_REQUIRED',
    'BULK_JOB_LIMIT_REACHED',
    'BULK_ROWS_LIMIT_EXCEEDED',
    'AUDIENCE_ID_INVALID',
    'LABEL_NOT_FOUND',
    'VALUE_INVALID',
  ],
});
export const listBulkJobs = endpoint({
  id: 'bulk_jobs.list',
  method: 'GET',
  path: '/v1/bulk_jobs',
  summary: 'List the caller’s bulk jobs, newest first',
  needs: null,
  audience: 'session',
  query: listQuery({ action: z.enum(BULK_ACTION_NAMES) }),
  list: true,
  output: BulkJob,
  problems: [],
});
export const cancelBulkJob = endpoint({
  id: 'bulk_jobs.remove',
  method: 'DELETE',
  path: '/v1/bulk_jobs/{id}',
  summary: 'Cancel a bulk job. Rows it has already changed are not restored',
  needs: null,
  audience: 'session',
  params: idParams('BULK_JOB_NOT_FOUND'),
  status: 204,
  output: z.null(),
  problems: ['BULK_JOB_NOT_FOUND', 'BULK_JOB_ENDED'],
});

/** A bulk job started, progressed, or ended. Only its user receives the event. */
export const bulkJobProgressed = event({
  id: 'bulk_job.progressed',
  modules: ['bulk_jobs'],
  needs: null,
  payload: BulkJob,
  visible: ({ user_id }, viewer) => user_id === viewer.user_id,
});
