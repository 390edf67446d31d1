/** SFTP servers and S3 buckets of a customer that receive the files of scheduled exports. */
import { z } from 'zod';
import { idParams, problem, range, timestamp, uuid } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { type StatusWord, statusWord } from '../status.ts';

/** The number of destinations that an account can have. */
export const MAX_EXPORT_DESTINATIONS = 10;
/** Days of failed uploads after which a destination is disabled. */
export const DISABLE_DESTINATION_DAYS = 3;
export const SFTP_PORT = 22;

const DESTINATION_STATES = ['active', 'failing', 'disabled'] as const;
export const DESTINATION_STATUS: Readonly<Record<(typeof DESTINATION_STATES)[number], StatusWord>> = {
  active: statusWord('Active', 'ok', 'check'),
  failing: statusWord('Failing', 'wait', 'alert'),
  disabled: statusWord('Disabled', 'fail', 'ban'),
};
export const DESTINATION_AUTHS = ['password', 'private_key'] as const;
export const DEFAULT_REGION = 'us-east-1';
/** The largest object that S3 accepts in one request. */
export const MAX_OBJECT_BYTES = 5 * 1024 ** 3;

/** Parts of a file name that are replaced. The times are those of the export, in its time zone. */
export const FILE_NAME_PARTS = ['list', 'date', 'time', 'id'] as const;
const PART = /\{(\w*)\}/g;
const isFileName = (text: string): boolean =>
  [...text.matchAll(PART)].every(([, part]) => FILE_NAME_PARTS.some((known) => known === part)) &&
  /^[A-Za-z0-9_-][A-Za-z0-9 ._-]*$/.test(text.replace(PART, 'x'));

const name = z.string().trim().min(1).max(80);
// Also an IP address. The server decides which addresses it may reach.
const host = z
  .string()
  .trim()
  .min(1)
  .max(253)
  .regex(/^[A-Za-z0-9._:-]+$/, { error: problem('EXPORT_HOST_NOT_ALLOWED') });
const username = z
  .string()
  .min(1)
  .max(200)
  .regex(/^\P{Cc}+$/u, { error: problem('VALUE_INVALID') });
const secret = z
  .string()
  .max(1_000)
  .regex(/^\P{Cc}*$/u, { error: problem('VALUE_INVALID') });
const privateKey = z.string().max(20_000);
/** Empty means the folder in which the session starts. */
const folder = z
  .string()
  .trim()
  .max(300)
  .regex(/^\P{Cc}*$/u, { error: problem('VALUE_INVALID') })
  .default('');
const file_name = z
  .string()
  .trim()
  .max(100)
  .refine(isFileName, { error: problem('VALUE_INVALID') })
  .default('{list}-{date}')
  .meta({
    description:
      'The name of the file without its extension. `{list}`, `{date}`, `{time}`, and `{id}` are replaced. A file ' +
      'with the same name is overwritten.',
    examples: ['{list}-{date}'],
  });
/** As OpenSSH prints it. */
const fingerprint = z
  .string()
  .regex(/^SHA256:[A-Za-z0-9+/]{43}$/, { error: problem('VALUE_INVALID') })
  .meta({ examples: ['SHA256:uNiVztksCsDhcc0u9e8BrqXVUDyfJ4XrbOGgfrMx5dQ'] });

const endpointUrl = z
  .url({ protocol: /^https?$/, error: problem('EXPORT_ENDPOINT_NOT_ALLOWED') })
  .max(300)
  .refine((text) => !/[?#@]/.test(text), { error: problem('EXPORT_ENDPOINT_NOT_ALLOWED') });
/** Rules of Amazon S3 for the names of buckets. Other stores accept the same names. */
const bucket = z.string().regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, { error: problem('VALUE_INVALID') });
const region = z
  .string()
  .regex(/^[a-z0-9-]{1,40}$/, { error: problem('VALUE_INVALID') })
  .default(DEFAULT_REGION);
const access_key_id = z.string().regex(/^[\w.+/=:-]{1,200}$/, { error: problem('VALUE_INVALID') });

const server = {
  type: z.literal('sftp'),
  host,
  port: range(1, 65_535).default(SFTP_PORT),
  username,
  /** Send a password or a private key. */
  password: secret.optional(),
  /** A private key without a passphrase, in the format of OpenSSH or PEM. */
  private_key: privateKey.optional(),
  folder,
};
const store = {
  type: z.literal('s3'),
  /** The URL of an S3-compatible store; null for Amazon S3. */
  endpoint: endpointUrl.nullable().default(null),
  region,
  bucket,
  access_key_id,
  secret_access_key: secret.optional(),
  folder,
};

const shown = {
  id: z.string(),
  account_id: z.string(),
  name: z.string(),
  folder: z.string(),
  file_name: z.string(),
  /** A disabled destination gets no files until a connection test succeeds. */
  status: z.enum(DESTINATION_STATES),
  /** Why the last upload failed. */
  error_message: z.string().nullable(),
  failing_since: timestamp.nullable(),
  /** The number of files that have not been uploaded yet. */
  waiting_count: z.int(),
  last_file: z.string().nullable(),
  last_upload_date: timestamp.nullable(),
  create_date: timestamp,
  update_date: timestamp,
};
/** A destination without its secret. */
export const ExportDestination = z.discriminatedUnion('type', [
  z.object({
    ...shown,
    type: z.literal('sftp'),
    host: z.string(),
    port: z.int(),
    username: z.string(),
    auth: z.enum(DESTINATION_AUTHS),
    host_key_type: z.string(),
    host_key_fingerprint: z.string(),
  }),
  z.object({
    ...shown,
    type: z.literal('s3'),
    endpoint: z.string().nullable(),
    region: z.string(),
    bucket: z.string(),
    access_key_id: z.string(),
  }),
]);
export type ExportDestination = z.output<typeof ExportDestination>;
export type SftpDestination = Extract<ExportDestination, { type: 'sftp' }>;
export type S3Destination = Extract<ExportDestination, { type: 's3' }>;

const INPUT_PROBLEMS = [
  ...(['EXPORT_HOST_NOT_ALLOWED', 'EXPORT_SECRET_REQUIRED', 'EXPORT_PRIVATE_KEY_INVALID'] as const),
  ...(['EXPORT_ENDPOINT_NOT_ALLOWED', 'EXPORT_SECRET_KEY_REQUIRED', 'VALUE_INVALID'] as const),
] as const;

export const listExportDestinations = endpoint({
  id: 'export_destinations.list',
  method: 'GET',
  path: '/v1/export_destinations',
  summary: 'List the SFTP servers and S3 buckets for scheduled exports',
  needs: 'WEBHOOKS:view',
  audience: 'session',
  output: z.array(ExportDestination),
  problems: [],
});
const saved = z.discriminatedUnion('type', [
  z.object({ name, ...server, host_key_fingerprint: fingerprint, host_key_type: z.string().max(60), file_name }),
  z.object({ name, ...store, file_name }),
]);
export const createExportDestination = endpoint({
  id: 'export_destinations.create',
  method: 'POST',
  path: '/v1/export_destinations',
  summary:
    'Add an SFTP server or an S3 bucket for scheduled exports. For an SFTP server, the request contains the host key ' +
    'that a user has accepted',
  needs: 'WEBHOOKS:add',
  audience: 'session',
  body: saved,
  status: 201,
  output: ExportDestination,
  problems: [...INPUT_PROBLEMS, 'EXPORT_DESTINATIONS_LIMIT_EXCEEDED'],
});
export const updateExportDestination = endpoint({
  id: 'export_destinations.update',
  method: 'PUT',
  path: '/v1/export_destinations/{id}',
  summary:
    'Change an SFTP server or an S3 bucket. Without a secret, the stored one is kept for the same host and user, or ' +
    'the same endpoint and access key. The type cannot change',
  needs: 'WEBHOOKS:edit',
  audience: 'session',
  params: idParams('EXPORT_DESTINATION_NOT_FOUND'),
  body: saved,
  output: ExportDestination,
  problems: [...INPUT_PROBLEMS, 'EXPORT_DESTINATION_NOT_FOUND'],
});
export const removeExportDestination = endpoint({
  id: 'export_destinations.remove',
  method: 'DELETE',
  path: '/v1/export_destinations/{id}',
  summary: 'Delete an SFTP server or an S3 bucket that no scheduled export uses',
  needs: 'WEBHOOKS:delete',
  audience: 'session',
  params: idParams('EXPORT_DESTINATION_NOT_FOUND'),
  status: 204,
  output: z.null(),
  problems: ['EXPORT_DESTINATION_NOT_FOUND', 'EXPORT_DESTINATION_IN_USE'],
});

const DestinationTest = z.object({
  /** The host key of an SFTP server. */
  host_key_type: z.string().optional(),
  host_key_fingerprint: z.string().optional(),
  /** True if the test signed in and wrote a file; false if it only read the host key. */
  is_complete: z.boolean(),
});
export type DestinationTest = z.output<typeof DestinationTest>;
/** A saved destination, whose secret is used. If the test succeeds, its uploads continue. */
const destination_id = uuid('EXPORT_DESTINATION_NOT_FOUND').optional();
export const testExportDestination = endpoint({
  id: 'export_destination_tests.create',
  method: 'POST',
  path: '/v1/export_destination_tests',
  summary:
    'Test an SFTP server or an S3 bucket: sign in, and write and delete a small file. For an SFTP server without an ' +
    'accepted host key, the call only returns the key',
  needs: 'WEBHOOKS:edit',
  audience: 'session',
  timeout_ms: 60_000,
  body: z.discriminatedUnion('type', [
    z.object({
      ...server,
      username: username.optional(),
      host_key_fingerprint: fingerprint.optional(),
      host_key_type: z.string().max(60).optional(),
      destination_id,
    }),
    z.object({ ...store, destination_id }),
  ]),
  output: DestinationTest,
  problems: [
    ...INPUT_PROBLEMS,
    ...(['EXPORT_HOST_UNREACHABLE', 'EXPORT_HOST_KEY_CHANGED', 'EXPORT_LOGIN_REFUSED'] as const),
    ...(['EXPORT_FOLDER_REFUSED', 'EXPORT_ENDPOINT_UNREACHABLE', 'EXPORT_ACCESS_KEY_REFUSED'] as const),
    ...(['EXPORT_BUCKET_REFUSED', 'EXPORT_DESTINATION_NOT_FOUND'] as const),
  ],
});
