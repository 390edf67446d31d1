/** Messages sent when a deal enters a stage. */
import { z } from 'zod';
import { CONSENT_PURPOSES } from '../audiences/purposes.ts';
import { listQuery, problem, timestamp, uuid } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { CRMS } from './crm.ts';
import { crmParams } from './sync.ts';

export const CRM_REENTRIES = ['once', 'each_time'] as const;
const invalid = { error: problem('CRM_TRIGGER_INVALID') };

const trigger = {
  stage_id: z.string(invalid).min(1, invalid).max(100, invalid),
  sender_id: uuid('MESSAGE_SENDER_NOT_FOUND'),
  template_id: uuid('MESSAGE_TEMPLATE_ID_INVALID'),
  /** Marketing is sent only to people who agreed to it on the channel. */
  purpose: z.enum(CONSENT_PURPOSES),
  /** Whether a deal that enters the stage again gets the message again. */
  reentry: z.enum(CRM_REENTRIES),
  is_on: z.boolean(),
};

export const CrmTrigger = z.object({
  ...trigger,
  id: z.string(),
  provider: z.enum(CRMS),
  sender_id: z.string(),
  template_id: z.string(),
  stage_name: z.string(),
  sender_name: z.string(),
  template_name: z.string(),
  sent_count: z.int(),
  refused_count: z.int(),
  create_date: timestamp,
});
export type CrmTrigger = z.output<typeof CrmTrigger>;

export const CrmTriggerRun = z.object({
  id: z.string(),
  deal_id: z.string(),
  status: z.enum(['sent', 'refused']),
  number: z.string().nullable(),
  message_id: z.string().nullable(),
  /** Why no message was sent. */
  error: z.string().nullable(),
  create_date: timestamp,
});
export type CrmTriggerRun = z.output<typeof CrmTriggerRun>;

export const CrmStage = z.object({ id: z.string(), name: z.string(), pipeline: z.string() });
export type CrmStage = z.output<typeof CrmStage>;

const params = crmParams.extend({ id: uuid('CRM_TRIGGER_NOT_FOUND') });
const forEditors = { needs: 'ACCOUNTS:edit', audience: 'session' } as const;
const PROBLEMS = ['CRM_NOT_FOUND', 'CRM_NOT_CONNECTED'] as const;
const INPUT_PROBLEMS = [
  ...(['CRM_NOT_AVAILABLE', 'CRM_UNREACHABLE', 'CRM_USER_NOT_CONNECTED', 'CRM_TRIGGER_INVALID'] as const),
  ...(['MESSAGE_SENDER_NOT_FOUND', 'MESSAGE_TEMPLATE_ID_INVALID'] as const),
] as const;

export const listCrmStages = endpoint({
  ...forEditors,
  id: 'crm_triggers.stages',
  method: 'GET',
  path: '/v1/crm_connections/{provider}/stages',
  summary: 'List the deal stages in a CRM',
  params: crmParams,
  output: z.array(CrmStage),
  problems: [...PROBLEMS, 'CRM_NOT_AVAILABLE', 'CRM_UNREACHABLE', 'CRM_USER_NOT_CONNECTED'],
});

export const listCrmTriggers = endpoint({
  ...forEditors,
  id: 'crm_triggers.list',
  method: 'GET',
  path: '/v1/crm_connections/{provider}/triggers',
  summary: 'List the messages that deal stages send',
  params: crmParams,
  output: z.array(CrmTrigger),
  problems: [...PROBLEMS],
});

export const createCrmTrigger = endpoint({
  ...forEditors,
  id: 'crm_triggers.create',
  method: 'POST',
  path: '/v1/crm_connections/{provider}/triggers',
  summary: 'Send a template to the person of each deal that enters a stage from now on',
  params: crmParams,
  body: z.object(trigger),
  status: 201,
  output: CrmTrigger,
  problems: [...PROBLEMS, ...INPUT_PROBLEMS],
});

export const updateCrmTrigger = endpoint({
  ...forEditors,
  id: 'crm_triggers.update',
  method: 'PUT',
  path: '/v1/crm_connections/{provider}/triggers/{id}',
  summary: 'Change a message that a stage sends, or turn it on or off',
  params,
  body: z.object(trigger).partial(),
  output: CrmTrigger,
  problems: [...PROBLEMS, ...INPUT_PROBLEMS, 'CRM_TRIGGER_NOT_FOUND'],
});

export const removeCrmTrigger = endpoint({
  ...forEditors,
  id: 'crm_triggers.remove',
  method: 'DELETE',
  path: '/v1/crm_connections/{provider}/triggers/{id}',
  summary: 'Delete a message that a stage sends',
  params,
  status: 204,
  output: z.null(),
  problems: [...PROBLEMS, 'CRM_TRIGGER_NOT_FOUND'],
});

export const listCrmTriggerRuns = endpoint({
  ...forEditors,
  id: 'crm_triggers.runs',
  method: 'GET',
  path: '/v1/crm_connections/{provider}/triggers/{id}/runs',
  summary: 'List the deals that entered the stage, newest first, with the messages sent',
  params,
  query: listQuery({}),
  list: true,
  output: CrmTriggerRun,
  problems: [...PROBLEMS, 'CRM_TRIGGER_NOT_FOUND'],
});
