/**
 * Importing contact files: upload a file, preview it, map its columns, and run the import. Either all rows are imported
 * or none are.
 */
import { z } from 'zod';
import { channel } from '../channels/field.ts';
import { country, idParams, listQuery, problem, range, timestamp, uuid } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { type StatusWord, statusWord } from '../status.ts';
import { audienceName } from './audiences.ts';
import { MAX_IMPORT_COLUMNS } from './limits.ts';
import { tagList } from './person_facts.ts';
import { CONSENT_PURPOSES } from './purposes.ts';

export const MAX_IMPORT_BYTES = 200 * 1024 * 1024;
export const CONTACT_FIELDS = ['number', 'first_name', 'last_name', 'custom1', 'custom2'] as const;
export type ContactField = (typeof CONTACT_FIELDS)[number];
const IMPORT_STATUSES = ['mapping', 'running', 'completed', 'failed', 'canceled'] as const;
export const IMPORT_STATUS: Readonly<Record<(typeof IMPORT_STATUSES)[number], StatusWord>> = {
  mapping: statusWord('Columns not mapped', 'wait', 'clock'),
  running: statusWord('Running', 'flight', 'progress'),
  completed: statusWord('Completed', 'ok', 'check'),
  failed: statusWord('Failed', 'fail', 'cross'),
  canceled: statusWord('Canceled', 'off', 'ban'),
};

export const ImportPreview = z.object({
  format: z.enum(['csv', 'xlsx']),
  encoding: z.string(),
  delimiter: z.string().nullable(),
  has_header: z.boolean(),
  /** One entry per column: its heading or "Column 3", and the guessed field. */
  columns: z.array(z.object({ name: z.string(), guess: z.string().nullable(), samples: z.array(z.string()) })),
  sample_rows: z.array(z.array(z.string())),
  row_count: z.int(),
});

const column = range(0, MAX_IMPORT_COLUMNS);

const EXISTING = ['update', 'merge', 'skip'] as const;

const ImportConsent = z.object({
  channel: channel('CONSENT_CHANNEL_INVALID', 'CONSENT_CHANNEL_INVALID'),
  purpose: z.enum(CONSENT_PURPOSES, { error: problem('CONSENT_PURPOSE_INVALID') }),
  /** The exact text that the people agreed to. */
  text: z
    .string({ error: problem('CONSENT_TEXT_INVALID') })
    .trim()
    .min(1, { error: problem('CONSENT_TEXT_INVALID') })
    .max(2_000, { error: problem('CONSENT_TEXT_INVALID') }),
  /** The place where they agreed, such as the address of a page. */
  source: z.string().trim().max(500).default(''),
});

export const ImportOptions = z.object({
  /**
   * The column index of each contact field, of the IDs on channels (`whatsapp_id`, `viber_id`), and of your own fields
   * (`fields.` and the key). An import cannot start without `number` or an ID.
   */
  columns: z
    .object({ number: column, first_name: column, last_name: column, custom1: column, custom2: column })
    .partial()
    .catchall(column)
    .default({}),
  /** The country of numbers written without a country code. */
  default_country: country().nullable().optional(),
  has_header: z.boolean().optional(),
  encoding: z.string().max(40).optional(),
  delimiter: z.enum([',', ';', '\t', '|']).optional(),
  /**
   * The action for a number that is already in the audience. `update` changes only mapped columns and never clears a
   * field. `merge` only fills fields that are empty. `skip` changes nothing.
   */
  existing: z.enum(EXISTING).default('update'),
  /** Added to the imported people. A person keeps at most 10 tags. */
  tags: tagList.default([]),
  /** The imported people's consent. It is not stored for people who have withdrawn it. */
  consent: ImportConsent.nullable().default(null),
});

export const AudienceImport = z.object({
  id: z.string(),
  account_id: z.string(),
  audience_id: z.string().nullable(),
  audience_name: z.string(),
  /** The audience's channel. */
  channel: z.string(),
  filename: z.string(),
  status: z.enum(IMPORT_STATUSES),
  preview: ImportPreview,
  /** The chosen options, or the guessed ones until the user chooses. */
  options: ImportOptions,
  /** Number of rows in the file. Once the import is completed, it equals the sum of the five counts. */
  total_rows: z.int(),
  processed_rows: z.int(),
  created_count: z.int(),
  updated_count: z.int(),
  /** Number of rows that repeat a number in the file. Only the first row with the number is used. */
  duplicate_count: z.int(),
  invalid_count: z.int(),
  /** Number of contacts that were already in the audience and did not change. */
  skipped_count: z.int(),
  /** Number of imported rows with a text that was longer than its field and was shortened. */
  shortened_count: z.int(),
  /** Number of contacts in runs of 20 or more consecutive numbers. Such lists are often generated. */
  consecutive_count: z.int(),
  has_refused: z.boolean(),
  error_code: z.int().nullable(),
  error_message: z.string().nullable(),
  /** When the import was undone. */
  undo_date: timestamp.nullable(),
  create_date: timestamp,
  update_date: timestamp,
});
export type AudienceImport = z.output<typeof AudienceImport>;

/**
 * Multipart: `file` (CSV or XLSX), and either `audience_id` (adds to that audience) or `name` (creates an audience,
 * which appears together with its contacts). With `start`, the import starts immediately with the guessed columns.
 * Without it, the response contains a `preview`, and an update starts the import.
 */
export const createImport = endpoint({
  id: 'audience_imports.create',
  method: 'POST',
  path: '/v1/audience_imports',
  summary: 'Upload a file of contacts',
  needs: 'AUDIENCES:add',
  upload: { max_bytes: MAX_IMPORT_BYTES },
  body: z.object({
    audience_id: uuid('AUDIENCE_ID_INVALID').optional(),
    name: audienceName.optional(),
    /** The channel of the new audience; SMS if absent. */
    channel: channel('AUDIENCE_CHANNEL_INVALID').optional(),
    start: z.stringbool().optional(),
    default_country: country().optional(),
    existing: z.enum(EXISTING).optional(),
  }),
  timeout_ms: 60_000,
  status: 201,
  output: AudienceImport,
  problems: [
    'REQUEST_TOO_LARGE',
    'CONTENT_TYPE_NOT_SUPPORTED',
    'AUDIENCE_NOT_FOUND',
    'AUDIENCE_ID_INVALID',
    'AUDIENCE_NAME_REQUIRED',
    'AUDIENCE_NAME_INVALID',
    'AUDIENCE_NAME_TOO_LONG',
    'AUDIENCE_EXISTS',
    'AUDIENCE_CHANNEL_INVALID',
    'AUDIENCE_IS_DYNAMIC',
    'IMPORT_LIMIT_EXCEEDED',
    'IMPORT_NUMBER_COLUMN_REQUIRED',
    'IMPORT_DELIMITER_INVALID',
    'IMPORT_COLUMNS_LIMIT_EXCEEDED',
    'IMPORT_ROWS_LIMIT_EXCEEDED',
    'IMPORT_FILE_UNREADABLE',
    'COUNTRY_CODE_INVALID',
    'VALUE_INVALID',
    'IMPORT_FILE_INVALID',
    'STORAGE_LIMIT_REACHED',
  ],
});

export const startImport = endpoint({
  id: 'audience_imports.update',
  method: 'PUT',
  path: '/v1/audience_imports/{id}',
  summary: 'Start an import with the chosen columns, or preview the file again with another encoding or delimiter',
  needs: 'AUDIENCES:add',
  params: idParams('IMPORT_NOT_FOUND'),
  body: z.object({ action: z.enum(['start', 'preview']).default('start'), options: ImportOptions.prefault({}) }),
  timeout_ms: 60_000,
  output: AudienceImport,
  problems: [
    'AUDIENCE_NOT_FOUND',
    'AUDIENCE_EXISTS',
    'IMPORT_LIMIT_EXCEEDED',
    'IMPORT_NUMBER_COLUMN_REQUIRED',
    'IMPORT_DELIMITER_INVALID',
    'IMPORT_COLUMNS_LIMIT_EXCEEDED',
    'IMPORT_ROWS_LIMIT_EXCEEDED',
    'IMPORT_FILE_UNREADABLE',
    'IMPORT_NOT_FOUND',
    'IMPORT_STATE_INVALID',
    'COUNTRY_CODE_INVALID',
    'VALUE_INVALID',
    'IMPORT_FILE_INVALID',
    'IMPORT_FIELD_UNKNOWN',
    'TAG_INVALID',
    'TAGS_LIMIT_EXCEEDED',
    'CONSENT_CHANNEL_INVALID',
    'CONSENT_PURPOSE_INVALID',
    'CONSENT_TEXT_INVALID',
  ],
});

/**
 * Removes the contacts that the import added, restores the texts that it changed unless they changed again, removes the
 * tags that it added, and withdraws the consents that it stored.
 */
export const undoImport = endpoint({
  id: 'audience_imports.undo',
  method: 'POST',
  path: '/v1/audience_imports/{id}/undo',
  summary: 'Undo a completed import',
  needs: 'AUDIENCES:delete',
  params: idParams('IMPORT_NOT_FOUND'),
  timeout_ms: 60_000,
  output: AudienceImport,
  problems: ['IMPORT_NOT_FOUND', 'IMPORT_STATE_INVALID', 'IMPORT_UNDO_EXPIRED'],
});

export const getImport = endpoint({
  id: 'audience_imports.get',
  method: 'GET',
  path: '/v1/audience_imports/{id}',
  summary: 'Get an import with its counts',
  needs: 'AUDIENCES:view',
  params: idParams('IMPORT_NOT_FOUND'),
  output: AudienceImport,
  problems: ['IMPORT_NOT_FOUND'],
});

export const listImports = endpoint({
  id: 'audience_imports.list',
  method: 'GET',
  path: '/v1/audience_imports',
  summary: 'List imports, newest first',
  needs: 'AUDIENCES:view',
  sorts: ['filename', 'status', 'audience_name', 'total_rows', 'create_date'],
  query: listQuery({ audience_id: uuid() }),
  list: true,
  output: AudienceImport,
  problems: [],
});

export const cancelImport = endpoint({
  id: 'audience_imports.remove',
  method: 'DELETE',
  path: '/v1/audience_imports/{id}',
  summary: 'Cancel an unfinished import. None of its contacts are saved',
  needs: 'AUDIENCES:add',
  params: idParams('IMPORT_NOT_FOUND'),
  status: 204,
  output: z.null(),
  problems: ['IMPORT_NOT_FOUND', 'IMPORT_STATE_INVALID'],
});

/** `invalid` and `duplicate` rows are not imported. `shortened` rows are, with a text shortened to its field. */
export const IMPORT_ROW_KINDS = ['invalid', 'duplicate', 'shortened'] as const;
export type ImportRowKind = (typeof IMPORT_ROW_KINDS)[number];

export const ImportRow = z.object({
  /** The line of the row in the file. */
  id: z.string(),
  line: z.int(),
  kind: z.enum(IMPORT_ROW_KINDS),
  /** The code of the problem of an invalid row; null for other rows, and for imports before the upgrade. */
  code: z.int().nullable(),
  reason: z.string(),
  /** The cells of the row. Long cells are truncated. */
  values: z.array(z.string()),
});
export type ImportRow = z.output<typeof ImportRow>;

export const listImportRows = endpoint({
  id: 'import_rows.list',
  method: 'GET',
  path: '/v1/audience_imports/{id}/rows',
  summary: 'List the rows of a completed import that were skipped or shortened, with the reasons',
  needs: 'AUDIENCES:view',
  params: idParams('IMPORT_NOT_FOUND'),
  query: listQuery({ kind: z.enum(IMPORT_ROW_KINDS) }),
  list: true,
  output: ImportRow,
  problems: ['IMPORT_NOT_FOUND'],
});

export const getRefusedRows = endpoint({
  id: 'refused_rows.get',
  method: 'GET',
  path: '/v1/audience_imports/{id}/refused_rows',
  summary:
    'Download the rejected rows as a CSV file with the source file’s delimiter. Columns: line, reason, original row',
  needs: 'AUDIENCES:view',
  params: idParams('IMPORT_NOT_FOUND'),
  raw: 'text/csv',
  output: z.null(),
  problems: ['IMPORT_NOT_FOUND', 'FILE_NOT_FOUND'],
});

export const importProgressed = event({
  id: 'audience_import.progressed',
  modules: ['audience_imports', 'import_rows'],
  needs: 'AUDIENCES:view',
  /** Omits the preview, which does not change while the import runs. */
  payload: AudienceImport.omit({ preview: true }),
});
