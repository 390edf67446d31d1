/** Numbers that receive no messages. Every message is checked at acceptance and again before it is submitted. */
import { z } from 'zod';
import { country, idParams, listQuery, problem, search, timestamp, uuid } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';

const STOP_REASONS = ['keyword', 'manual', 'api', 'operator', 'carrier', 'link'] as const;

export const StopListEntry = z.object({
  id: z.string(),
  account_id: z.string(),
  number: z.string(),
  country: z.string(),
  /** Null means all senders. */
  sender_id: z.string().nullable(),
  sender_name: z.string().nullable(),
  reason: z.enum(STOP_REASONS),
  /** The recipient's opt-out message. */
  text: z.string(),
  message_id: z.string().nullable(),
  create_date: timestamp,
});
export type StopListEntry = z.output<typeof StopListEntry>;

export const listStopList = endpoint({
  id: 'stop_list.list',
  method: 'GET',
  path: '/v1/stop_list',
  summary: 'List the numbers on the stop list, newest first',
  needs: 'SENDERS:view',
  sorts: ['number', 'create_date'],
  query: listQuery({ search, sender_id: z.string() }),
  list: true,
  output: StopListEntry,
  problems: [],
});

export const createStopListEntry = endpoint({
  id: 'stop_list.create',
  method: 'POST',
  path: '/v1/stop_list',
  summary: 'Add a number to the stop list, for one sender or for all senders',
  needs: 'SENDERS:edit',
  body: z.object({
    number: z
      .string({ error: problem('CONTACT_NUMBER_REQUIRED') })
      .trim()
      .min(1, { error: problem('CONTACT_NUMBER_REQUIRED') })
      .max(45, { error: problem('CONTACT_NUMBER_TOO_LONG') }),
    sender_id: uuid('SENDER_NOT_FOUND').nullable().default(null),
  }),
  status: 201,
  idempotent: true,
  output: StopListEntry,
  problems: [
    'STOP_LIST_ENTRY_EXISTS',
    'CONTACT_NUMBER_REQUIRED',
    'CONTACT_NUMBER_INVALID',
    'CONTACT_NUMBER_TOO_LONG',
    'SENDER_NOT_FOUND',
  ],
});

/**
 * Multipart: `file` (CSV or XLSX). The column with the numbers is detected. The numbers are stopped for all senders,
 * either all of them or none.
 */
export const importStopList = endpoint({
  id: 'stop_list.import',
  method: 'POST',
  path: '/v1/stop_list_imports',
  summary: 'Add the numbers in a file to the stop list',
  needs: 'SENDERS:edit',
  upload: { max_bytes: 20 * 1024 * 1024 },
  body: z.object({
    /** The country of numbers without a country code. Defaults to the account's country. */
    default_country: country().optional(),
  }),
  timeout_ms: 60_000,
  status: 201,
  output: z.object({
    total_rows: z.int(),
    added_count: z.int(),
    /** Numbers that were already stopped for all senders. */
    existing_count: z.int(),
    duplicate_count: z.int(),
    invalid_count: z.int(),
  }),
  problems: [
    'REQUEST_TOO_LARGE',
    'CONTENT_TYPE_NOT_SUPPORTED',
    'COUNTRY_CODE_INVALID',
    'IMPORT_NUMBER_COLUMN_REQUIRED',
    'IMPORT_DELIMITER_INVALID',
    'IMPORT_COLUMNS_LIMIT_EXCEEDED',
    'IMPORT_ROWS_LIMIT_EXCEEDED',
    'IMPORT_FILE_UNREADABLE',
    'IMPORT_FILE_INVALID',
    'VALUE_INVALID',
  ],
});

export const removeStopListEntry = endpoint({
  id: 'stop_list.remove',
  method: 'DELETE',
  path: '/v1/stop_list/{id}',
  summary: 'Remove a number from the stop list',
  needs: 'SENDERS:edit',
  params: idParams('STOP_LIST_ENTRY_NOT_FOUND'),
  status: 204,
  output: z.null(),
  problems: ['STOP_LIST_ENTRY_NOT_FOUND'],
});

export const stopListChanged = event({
  id: 'stop_list.changed',
  modules: ['stop_list'],
  needs: 'SENDERS:view',
  payload: z.object({ number: z.string(), sender_id: z.string().nullable(), change: z.enum(['stopped', 'started']) }),
});
