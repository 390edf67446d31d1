/** Connections to CRMs: a company connects each CRM once, and each of its users connects their own login there. */
import { z } from 'zod';
import { problem, timestamp, uuid } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { type StatusWord, statusWord } from '../status.ts';

export const CRM_LABELS = { pipedrive: 'Pipedrive', hubspot: 'HubSpot' } as const;
export type CrmName = keyof typeof CRM_LABELS;
export const CRMS = Object.keys(CRM_LABELS) as [CrmName, ...CrmName[]];

export const CRM_STATES = ['active', 'broken'] as const;
export const CRM_STATUS: Readonly<Record<(typeof CRM_STATES)[number], StatusWord>> = {
  active: statusWord('Connected', 'ok', 'check'),
  broken: statusWord('Reconnect needed', 'fail', 'cross'),
};

/** A person who has connected their CRM login. */
export const CrmUser = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  /** The Parley user on whose behalf this person sends. */
  user_name: z.string(),
  state: z.enum(CRM_STATES),
});
export type CrmUser = z.output<typeof CrmUser>;

export const CrmConnection = z.object({
  provider: z.enum(CRMS),
  account_id: z.string(),
  company_id: z.string(),
  company_name: z.string(),
  company_url: z.string(),
  state: z.enum(CRM_STATES),
  users: z.array(CrmUser),
  /** The sender that the panel selects first. */
  sender_id: z.string().nullable(),
  /** True if messages and replies are logged as activities. */
  logs_messages: z.boolean(),
  /** The numbers of messages logged in the last 30 days, waiting, and failed. */
  logged_count: z.int(),
  waiting_count: z.int(),
  failed_count: z.int(),
  last_error: z.string().nullable(),
  create_date: timestamp,
  update_date: timestamp,
});
export type CrmConnection = z.output<typeof CrmConnection>;

/** A CRM, and the company's connection to it. */
export const Crm = z.object({
  provider: z.enum(CRMS),
  label: z.string(),
  /** The connection's purpose, in one sentence. */
  about: z.string(),
  /** False if the operator has not registered an app with the CRM. */
  is_available: z.boolean(),
  connection: CrmConnection.nullable(),
});
export type Crm = z.output<typeof Crm>;

const provider = z.enum(CRMS, { error: problem('CRM_NOT_FOUND') });
const params = z.object({ provider });

export const listCrms = endpoint({
  id: 'crm.list',
  method: 'GET',
  path: '/v1/crm_connections',
  summary: 'List the CRMs and their connections',
  needs: 'MESSAGES:view',
  audience: 'session',
  output: z.array(Crm),
  problems: [],
});

export const authorizeCrm = endpoint({
  id: 'crm.authorize',
  method: 'POST',
  path: '/v1/crm_connections/{provider}/authorizations',
  summary: 'Get the URL where a user authorizes the connection',
  needs: 'MESSAGES:add',
  audience: 'person',
  verified: true,
  params,
  output: z.object({ url: z.string() }),
  problems: ['CRM_NOT_FOUND', 'CRM_NOT_AVAILABLE'],
});

/** The CRM's response to an authorization. */
export const authorizationAnswer = z.object({
  code: z
    .string({ error: problem('CRM_CODE_REQUIRED') })
    .trim()
    .min(1, { error: problem('CRM_CODE_REQUIRED') })
    .max(2_000, { error: problem('CRM_CODE_INVALID') }),
  /** Missing if the person started in the CRM instead of in Parley. */
  state: z.string().max(1_000).optional(),
});

export const CONNECT_PROBLEMS = [
  'CRM_NOT_AVAILABLE',
  'CRM_CODE_REQUIRED',
  'CRM_CODE_INVALID',
  'CRM_STATE_INVALID',
  'CRM_UNREACHABLE',
  'CRM_COMPANY_TAKEN',
  'CRM_OTHER_COMPANY',
] as const;

/** Pipedrive has its own call, `/v1/pipedrive-oauth/token`. This one is for every CRM. */
export const connectCrm = endpoint({
  id: 'crm.connect',
  method: 'POST',
  path: '/v1/crm_connections/{provider}/users',
  summary: 'Connect a CRM with its authorization code',
  needs: 'MESSAGES:add',
  audience: 'person',
  verified: true,
  params,
  body: authorizationAnswer,
  status: 201,
  timeout_ms: 60_000,
  output: CrmConnection,
  problems: ['CRM_NOT_FOUND', ...CONNECT_PROBLEMS],
});

export const updateCrm = endpoint({
  id: 'crm.update',
  method: 'PUT',
  path: '/v1/crm_connections/{provider}',
  summary: 'Change the settings of a connection',
  needs: 'ACCOUNTS:edit',
  audience: 'session',
  params,
  body: z.object({
    sender_id: uuid('MESSAGE_SENDER_NOT_FOUND').nullable().optional(),
    logs_messages: z.boolean().optional(),
  }),
  output: CrmConnection,
  problems: ['CRM_NOT_FOUND', 'CRM_NOT_CONNECTED', 'MESSAGE_SENDER_NOT_FOUND'],
});

export const retryCrmLogs = endpoint({
  id: 'crm.retry',
  method: 'POST',
  path: '/v1/crm_connections/{provider}/retries',
  summary: 'Retry logging the messages that could not be logged',
  needs: 'ACCOUNTS:edit',
  audience: 'session',
  params,
  output: z.object({ retried_count: z.int() }),
  problems: ['CRM_NOT_FOUND', 'CRM_NOT_CONNECTED'],
});

export const removeCrm = endpoint({
  id: 'crm.remove',
  method: 'DELETE',
  path: '/v1/crm_connections/{provider}',
  summary: 'Disconnect a CRM, and delete its tokens',
  needs: 'ACCOUNTS:edit',
  audience: 'session',
  params,
  status: 204,
  output: z.null(),
  problems: ['CRM_NOT_FOUND', 'CRM_NOT_CONNECTED'],
});

export const crmChanged = event({
  id: 'crm.changed',
  modules: ['crm', 'crm_sync', 'crm_triggers'],
  needs: 'MESSAGES:view',
  payload: z.object({ provider: z.enum(CRMS) }),
});
