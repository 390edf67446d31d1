/**
 * Exports: files with the rows of a list, written in the background. An export needs the permission of its list, both
 * to be written and to be downloaded.
 */
import { z } from 'zod';
import { idParams, listQuery, problem, timestamp } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { permits } from '../permission.ts';
import { type StatusWord, statusWord } from '../status.ts';
import { EXPORT_LIST_NAMES, EXPORT_LISTS, isExportShared } from './lists.ts';

/** Days until an export is deleted. */
export const EXPORT_DAYS = 7;
/** The number of exports that an account can have. */
export const MAX_EXPORTS = 50;
/** The number of an account's exports that can be queued or in progress at the same time. */
export const MAX_UNFINISHED_EXPORTS = 5;
export const EXPORT_FORMATS = ['csv', 'xlsx', 'jsonl', 'parquet'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];
/** A sheet of a workbook can hold 1,048,576 rows. */
export const MAX_EXPORT_ROWS: Readonly<Record<ExportFormat, number>> = {
  ...{ csv: 10_000_000, xlsx: 1_000_000, jsonl: 10_000_000, parquet: 10_000_000 },
};

const EXPORT_STATES = ['PENDING', 'IN_PROGRESS', 'COMPLETED'] as const;
/** The states of exports. `failed` is an export with an error message. */
export const EXPORT_STATUS: Readonly<Record<(typeof EXPORT_STATES)[number] | 'failed', StatusWord>> = {
  PENDING: statusWord('Pending', 'wait', 'clock'),
  IN_PROGRESS: statusWord('In progress', 'flight', 'progress'),
  COMPLETED: statusWord('Completed', 'ok', 'check'),
  failed: statusWord('Failed', 'fail', 'alert'),
};

export const Export = z.object({
  id: z.string(),
  account_id: z.string(),
  list: z.enum(EXPORT_LIST_NAMES),
  format: z.enum(EXPORT_FORMATS),
  filename: z.string(),
  /** The zone of the times in the file. */
  time_zone: z.string(),
  /** An export whose file could not be written stays PENDING, with `error_message`, until it is started again. */
  status: z.enum(EXPORT_STATES),
  /** The number of rows written so far. */
  rows_count: z.int(),
  /** The number of rows of the list; null until it is known, and for lists that are not counted to the end. */
  total_rows: z.int().nullable(),
  bytes: z.int().nullable(),
  error_message: z.string().nullable(),
  user_id: z.string().nullable(),
  create_date: timestamp,
  update_date: timestamp,
  /** When the export is deleted. */
  expire_date: timestamp,
});
export type Export = z.output<typeof Export>;

const filterValue = z.union([z.string().max(4_000), z.array(z.string().max(200)).max(200), z.number(), z.boolean()]);
const isTimeZone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== null;
  } catch {
    return false;
  }
};

export const requestFields = {
  format: z.enum(EXPORT_FORMATS).default('csv'),
  /** The filter of the list, as in `filter[...]` of its GET call. */
  filter: z.record(z.string().max(60), filterValue).default({}),
  /** The sort order of the list, as in its GET call. */
  sort: z.string().max(60).optional(),
  /** The columns of the list on the screen, in their order. All columns if missing. */
  columns: z.array(z.string().max(60)).max(60).optional(),
  /** The zone of the times in the file, such as `Europe/Berlin`. */
  time_zone: z
    .string()
    .max(60)
    .refine(isTimeZone, { error: problem('TIME_ZONE_INVALID') })
    .default('UTC'),
};

const LIMITS = ['EXPORT_LIMIT_REACHED', 'EXPORT_ROWS_LIMIT_EXCEEDED'] as const;

export const listExports = endpoint({
  id: 'exports.list',
  method: 'GET',
  path: '/v1/exports',
  summary: 'List the exports of the lists that the caller may view, newest first',
  needs: null,
  query: listQuery({ list: z.enum(EXPORT_LIST_NAMES) }),
  list: true,
  output: Export,
  problems: [],
});
export const createExport = endpoint({
  id: 'exports.create',
  method: 'POST',
  path: '/v1/exports',
  summary: 'Export the rows of a list to a file, with the filter, sort order, and columns of the screen',
  needs: null,
  body: z.object({
    list: z.enum(EXPORT_LIST_NAMES),
    /** The parameters in the path of the list, such as the `id` of the audience or the campaign. */
    params: z.record(z.string().max(60), z.string().max(100)).default({}),
    ...requestFields,
  }),
  status: 202,
  idempotent: true,
  output: Export,
  problems: [
    ...LIMITS,
    'TIME_ZONE_INVALID',
    'PERMISSION_REQUIRED',
    'AUDIENCE_ID_INVALID',
    'AUDIENCE_NOT_FOUND',
    'CAMPAIGN_ID_INVALID',
    'CAMPAIGN_NOT_FOUND',
    'LABEL_NOT_FOUND',
    'VALUE_INVALID',
  ],
});
export const restartExport = endpoint({
  id: 'exports.update',
  method: 'PUT',
  path: '/v1/exports/{id}',
  summary: 'Run an export again with the current rows',
  needs: null,
  params: idParams('EXPORT_NOT_FOUND'),
  body: z.object({}),
  status: 202,
  output: Export,
  problems: ['EXPORT_NOT_FOUND', ...LIMITS],
});
export const removeExport = endpoint({
  id: 'exports.remove',
  method: 'DELETE',
  path: '/v1/exports/{id}',
  summary: 'Delete an export and its file. An export in progress is canceled',
  needs: null,
  params: idParams('EXPORT_NOT_FOUND'),
  status: 204,
  output: z.null(),
  problems: ['EXPORT_NOT_FOUND'],
});
export const getExportFile = endpoint({
  id: 'export_files.get',
  method: 'GET',
  path: '/v1/exports/{id}/file',
  summary: 'Download the file of a completed export',
  needs: null,
  params: idParams('EXPORT_NOT_FOUND'),
  raw: 'application/octet-stream',
  timeout_ms: 600_000,
  output: z.null(),
  problems: ['EXPORT_NOT_FOUND', 'FILE_NOT_FOUND', 'PERMISSION_REQUIRED'],
});

/** Hours until a download link expires. */
export const EXPORT_LINK_HOURS = 24;
export const createExportLink = endpoint({
  id: 'export_links.create',
  method: 'POST',
  path: '/v1/exports/{id}/links',
  summary: 'Create a download link that requires no sign-in and expires after 24 hours',
  needs: null,
  params: idParams('EXPORT_NOT_FOUND'),
  body: z.object({}),
  status: 201,
  output: z.object({ url: z.string(), expire_date: timestamp }),
  problems: ['EXPORT_NOT_FOUND', 'FILE_NOT_FOUND', 'PERMISSION_REQUIRED'],
});

/** The same calls for the message log, at other paths. */
export const listLogs = endpoint({
  id: 'logs.list',
  method: 'GET',
  path: '/v1/logs',
  summary: 'List the exports of the message log, newest first',
  needs: 'MESSAGES:view',
  query: listQuery({}),
  list: true,
  output: Export,
  problems: [],
});
export const createLog = endpoint({
  id: 'logs.create',
  method: 'POST',
  path: '/v1/logs',
  summary: 'Export the message log to a file',
  needs: 'MESSAGES:view',
  body: z.object(requestFields),
  status: 202,
  idempotent: true,
  output: Export,
  problems: [...LIMITS, 'TIME_ZONE_INVALID', 'VALUE_INVALID'],
});
export const restartLog = endpoint({
  id: 'logs.update',
  method: 'PUT',
  path: '/v1/logs/{id}',
  summary: 'Run a message log export again with the current messages',
  needs: 'MESSAGES:view',
  params: restartExport.params,
  body: restartExport.body,
  status: 202,
  output: Export,
  problems: restartExport.problems,
});
export const removeLog = endpoint({
  id: 'logs.remove',
  method: 'DELETE',
  path: '/v1/logs/{id}',
  summary: 'Delete an export of the message log and its file',
  needs: 'MESSAGES:view',
  params: removeExport.params,
  status: 204,
  output: z.null(),
  problems: removeExport.problems,
});

/** An export started, progressed, completed, failed, or was deleted. */
export const exportProgressed = event({
  id: 'export.progressed',
  modules: ['exports', 'logs'],
  needs: null,
  payload: Export.extend({ is_deleted: z.boolean() }),
  visible: (row, viewer) => permits(viewer.permissions, EXPORT_LISTS[row.list].needs) && isExportShared(row, viewer),
});
