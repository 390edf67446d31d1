/** Contact sync: the contacts that a CRM and an account share, the copied fields and their direction, and errors. */
import { z } from 'zod';
import { CONSENT_PURPOSES } from '../audiences/purposes.ts';
import { CHANNELS } from '../channels/names.ts';
import { listQuery, problem, timestamp, uuid } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { CRMS } from './crm.ts';

export const CRM_DIRECTIONS = ['to_parley', 'to_crm', 'both'] as const;
export const CRM_RULES = ['newest', 'crm', 'parley'] as const;
export const CRM_STAGES = ['idle', 'records', 'contacts'] as const;
/** The properties of people that can be copied. Your own fields are `fields.` and their keys. */
export const CRM_PERSON_FIELDS = [
  ...(['first_name', 'last_name', 'custom1', 'custom2', 'language', 'timezone'] as const),
] as const;

const fieldProblem = { error: problem('CRM_SYNC_FIELD_INVALID') };
const consentProblem = { error: problem('CRM_SYNC_CONSENT_INVALID') };
const key = z.string().min(1).max(100);
const value = z.string().trim().max(200);

/** A field of the CRM that is copied to a field of people, and back. */
export const CrmFieldMap = z.object({ crm: key, parley: key.max(40) });
export type CrmFieldMap = z.output<typeof CrmFieldMap>;

/** A CRM field that states whether the person agreed. */
export const CrmConsentMap = z.object({
  crm: key,
  /** The values that mean yes and no, as people see them in the CRM. */
  yes: value.min(1),
  no: value,
  channel: z.enum(CHANNELS),
  purpose: z.enum(CONSENT_PURPOSES),
  /** The exact text that people agreed to. It becomes the proof. */
  text: z.string().trim().min(1).max(2_000),
});
export type CrmConsentMap = z.output<typeof CrmConsentMap>;

/** A CRM field that states whether the person opted out of all messages. */
export const CrmOptOutMap = z.object({ crm: key, yes: value.min(1), no: value });
export type CrmOptOutMap = z.output<typeof CrmOptOutMap>;

export const CrmSyncSettings = z.object({
  direction: z.enum(CRM_DIRECTIONS),
  /** Whose change counts if both sides changed the same field since the last sync. */
  rule: z.enum(CRM_RULES),
  audience_id: uuid('CRM_SYNC_AUDIENCE_INVALID'),
  fields: z.array(CrmFieldMap, fieldProblem).max(40, fieldProblem),
  consents: z.array(CrmConsentMap, consentProblem).max(6, consentProblem),
  opt_out: CrmOptOutMap.nullable(),
});
export type CrmSyncSettings = z.output<typeof CrmSyncSettings>;

export const CrmSync = CrmSyncSettings.extend({
  provider: z.enum(CRMS),
  is_on: z.boolean(),
  /** Null until one is selected. */
  audience_id: z.string().nullable(),
  /** `records`: a full sync reads the records of the CRM. `contacts`: it then reads the contacts of the audience. */
  stage: z.enum(CRM_STAGES),
  /** How many records or contacts the stage has read. */
  processed_count: z.int(),
  linked_count: z.int(),
  failed_count: z.int(),
  waiting_count: z.int(),
  /** The CRM is limiting requests until this time. */
  hold_date: timestamp.nullable(),
  sync_date: timestamp.nullable(),
  full_date: timestamp.nullable(),
  last_error: z.string().nullable(),
});
export type CrmSync = z.output<typeof CrmSync>;

export const CrmField = z.object({
  key: z.string(),
  label: z.string(),
  /** The values that the CRM offers; empty if any text is allowed. */
  choices: z.array(z.string()),
  is_writable: z.boolean(),
});
export type CrmField = z.output<typeof CrmField>;

/** A person that the sync would change. */
export const CrmPreviewRow = z.object({
  name: z.string(),
  number: z.string(),
  change: z.enum(['add_to_parley', 'update_parley', 'add_to_crm', 'update_crm']),
  fields: z.array(z.object({ label: z.string(), before: z.string(), after: z.string() })),
});
export type CrmPreviewRow = z.output<typeof CrmPreviewRow>;

export const CrmPreview = z.object({
  /** The number of CRM records and audience contacts that were read. */
  records_count: z.int(),
  contacts_count: z.int(),
  /** False if there are more people than were counted. */
  is_complete: z.boolean(),
  add_to_parley_count: z.int(),
  update_parley_count: z.int(),
  add_to_crm_count: z.int(),
  update_crm_count: z.int(),
  /** Records without a phone number. */
  without_number_count: z.int(),
  /** Records with another record's number. */
  duplicate_count: z.int(),
  rows: z.array(CrmPreviewRow),
});
export type CrmPreview = z.output<typeof CrmPreview>;

export const CrmSyncError = z.object({
  id: z.string(),
  record_id: z.string().nullable(),
  name: z.string().nullable(),
  number: z.string().nullable(),
  error: z.string(),
  update_date: timestamp,
});
export type CrmSyncError = z.output<typeof CrmSyncError>;

export const crmParams = z.object({ provider: z.enum(CRMS, { error: problem('CRM_NOT_FOUND') }) });
const CRM_CALL_PROBLEMS = [
  'CRM_NOT_FOUND',
  'CRM_NOT_CONNECTED',
  'CRM_NOT_AVAILABLE',
  'CRM_UNREACHABLE',
  'CRM_USER_NOT_CONNECTED',
] as const;
const MAP_PROBLEMS = ['CRM_SYNC_AUDIENCE_INVALID', 'CRM_SYNC_FIELD_INVALID', 'CRM_SYNC_CONSENT_INVALID'] as const;
const forEditors = { needs: 'ACCOUNTS:edit', audience: 'session' } as const;

export const getCrmSync = endpoint({
  ...forEditors,
  id: 'crm_sync.get',
  method: 'GET',
  path: '/v1/crm_connections/{provider}/sync',
  summary: 'Get the contact sync with a CRM: settings, progress, and counts',
  params: crmParams,
  output: CrmSync,
  problems: ['CRM_NOT_FOUND', 'CRM_NOT_CONNECTED'],
});

export const listCrmFields = endpoint({
  ...forEditors,
  id: 'crm_sync.fields',
  method: 'GET',
  path: '/v1/crm_connections/{provider}/fields',
  summary: 'List the fields of contacts in a CRM',
  params: crmParams,
  output: z.array(CrmField),
  problems: [...CRM_CALL_PROBLEMS],
});

export const previewCrmSync = endpoint({
  ...forEditors,
  id: 'crm_sync.preview',
  method: 'POST',
  path: '/v1/crm_connections/{provider}/sync/previews',
  summary: 'Preview the changes that a sync with these settings would make',
  params: crmParams,
  body: CrmSyncSettings,
  timeout_ms: 60_000,
  output: CrmPreview,
  problems: [...CRM_CALL_PROBLEMS, ...MAP_PROBLEMS],
});

export const updateCrmSync = endpoint({
  ...forEditors,
  id: 'crm_sync.update',
  method: 'PUT',
  path: '/v1/crm_connections/{provider}/sync',
  summary: 'Set up the contact sync, and turn it on or off. A change to the synced data starts a full sync',
  params: crmParams,
  body: CrmSyncSettings.extend({ is_on: z.boolean() }),
  timeout_ms: 60_000,
  output: CrmSync,
  problems: [...CRM_CALL_PROBLEMS, ...MAP_PROBLEMS],
});

export const startCrmSync = endpoint({
  ...forEditors,
  id: 'crm_sync.start',
  method: 'POST',
  path: '/v1/crm_connections/{provider}/sync/runs',
  summary: 'Start another full sync',
  params: crmParams,
  output: CrmSync,
  problems: ['CRM_NOT_FOUND', 'CRM_NOT_CONNECTED', 'CRM_SYNC_OFF'],
});

export const listCrmSyncErrors = endpoint({
  ...forEditors,
  id: 'crm_sync.errors',
  method: 'GET',
  path: '/v1/crm_connections/{provider}/sync/errors',
  summary: 'List the people who could not be synced, newest first',
  params: crmParams,
  query: listQuery({}),
  list: true,
  output: CrmSyncError,
  problems: ['CRM_NOT_FOUND', 'CRM_NOT_CONNECTED'],
});

export const retryCrmSync = endpoint({
  ...forEditors,
  id: 'crm_sync.retry',
  method: 'POST',
  path: '/v1/crm_connections/{provider}/sync/retries',
  summary: 'Retry one or all of the people who could not be synced',
  params: crmParams,
  body: z.object({ id: uuid('VALUE_INVALID').nullish() }),
  output: z.object({ retried_count: z.int() }),
  problems: ['CRM_NOT_FOUND', 'CRM_NOT_CONNECTED', 'CRM_SYNC_OFF'],
});
