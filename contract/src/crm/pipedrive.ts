/**
 * Pipedrive: uninstalling the app, and the panel beside a deal or a person. The panel has its own token, which
 * only calls with the audience `panel` accept.
 */
import { z } from 'zod';
import { CHANNELS } from '../channels/names.ts';
import { problem, timestamp, uuid } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { MAX_TEXT } from '../messages/messages.ts';
import { Message } from '../messages/shapes.ts';
import { STATUSES } from '../messages/statuses.ts';
import {
  CONTENT_PROBLEMS,
  IDEMPOTENCY_PROBLEMS,
  RECIPIENT_PROBLEMS,
  SENDING_PROBLEMS,
  TEMPLATE_USE_PROBLEMS,
} from '../problems/groups.ts';
import { authorizationAnswer, CONNECT_PROBLEMS, CrmConnection } from './crm.ts';

export const connectPipedrive = endpoint({
  id: 'crm.connect_pipedrive',
  method: 'POST',
  path: '/v1/pipedrive-oauth/token',
  summary: 'Connect Pipedrive with its authorization code',
  needs: 'MESSAGES:add',
  audience: 'person',
  verified: true,
  body: authorizationAnswer,
  status: 201,
  timeout_ms: 60_000,
  output: CrmConnection,
  problems: [...CONNECT_PROBLEMS],
});

export const openPipedrivePanel = endpoint({
  id: 'pipedrive.open',
  method: 'POST',
  path: '/v1/pipedrive-panels',
  summary: 'Exchange a panel token signed by Pipedrive for an access token',
  needs: 'public',
  body: z.object({ token: z.string({ error: problem('CRM_PANEL_TOKEN_INVALID') }).max(4_000) }),
  status: 201,
  output: z.object({ access_token: z.string(), expire_date: timestamp, company_id: z.string() }),
  problems: ['CRM_PANEL_TOKEN_INVALID', 'CRM_NOT_AVAILABLE', 'CRM_NOT_CONNECTED', 'CRM_USER_NOT_CONNECTED'],
});

export const PanelCompany = z.object({
  id: z.string(),
  name: z.string(),
  /** The company in Parley that sends. */
  account_id: z.string(),
  account_name: z.string(),
  user_name: z.string(),
  /** The company's time zone in Parley. */
  timezone: z.string(),
  sender_id: z.string().nullable(),
  logs_messages: z.boolean(),
});
export type PanelCompany = z.output<typeof PanelCompany>;

export const getPipedriveCompany = endpoint({
  id: 'pipedrive.company',
  method: 'GET',
  path: '/v1/pipedrive-companies/{id}',
  summary: 'Get the Pipedrive company of a panel',
  needs: 'MESSAGES:view',
  audience: 'panel',
  params: z.object({ id: z.string().max(40) }),
  output: PanelCompany,
  problems: ['CRM_NOT_CONNECTED'],
});

export const PanelSender = z.object({
  id: z.string(),
  name: z.string(),
  code: z.string(),
  channel: z.enum(CHANNELS),
});
export type PanelSender = z.output<typeof PanelSender>;

export const listPipedriveSenders = endpoint({
  id: 'pipedrive.senders',
  method: 'GET',
  path: '/v1/pipedrive-senders',
  summary: 'List the senders that are ready to send',
  needs: 'MESSAGES:view',
  audience: 'panel',
  output: z.array(PanelSender),
  problems: [],
});

export const PanelTemplate = z.object({
  id: z.string(),
  name: z.string(),
  text: z.string(),
  /** In the order of `variables`. */
  placeholders: z.array(z.object({ name: z.string(), fallback: z.string().nullable() })),
});
export type PanelTemplate = z.output<typeof PanelTemplate>;

export const listPipedriveTemplates = endpoint({
  id: 'pipedrive.templates',
  method: 'GET',
  path: '/v1/pipedrive-templates',
  summary: 'List the approved templates of a sender',
  needs: 'MESSAGES:view',
  audience: 'panel',
  query: z.object({ sender_id: uuid('MESSAGE_SENDER_NOT_FOUND') }),
  output: z.array(PanelTemplate),
  problems: ['MESSAGE_SENDER_NOT_FOUND'],
});

export const PANEL_RESOURCES = ['person', 'deal'] as const;

export const PanelNumber = z.object({
  /** Digits with the country code; null if the number cannot be read. */
  number: z.string().nullable(),
  /** The number as it is written in the CRM. */
  text: z.string(),
  label: z.string(),
  /** True if the number is on the stop list. */
  stopped: z.boolean(),
});
export const PanelPerson = z.object({
  id: z.string(),
  name: z.string(),
  deal_id: z.string().nullable(),
  numbers: z.array(PanelNumber),
});
export type PanelPerson = z.output<typeof PanelPerson>;

export const listPipedrivePeople = endpoint({
  id: 'pipedrive.people',
  method: 'GET',
  path: '/v1/pipedrive-people',
  summary: 'List the people on a deal, or one person, with their phone numbers',
  needs: 'MESSAGES:view',
  audience: 'panel',
  query: z.object({
    resource: z.enum(PANEL_RESOURCES),
    id: z.string().regex(/^\d{1,18}$/, { error: problem('VALUE_INVALID') }),
  }),
  output: z.array(PanelPerson),
  problems: ['CRM_RECORD_NOT_FOUND', 'CRM_UNREACHABLE', 'CRM_USER_NOT_CONNECTED'],
});

export const PanelMessage = z.object({
  id: z.string(),
  text: z.string(),
  direction: z.enum(['MT', 'MO']),
  status: z.enum(STATUSES),
  create_date: timestamp,
  user_name: z.string().nullable(),
  /** Whether the CRM has an activity for the message; null if it gets none. */
  logged: z.boolean().nullable(),
});
export type PanelMessage = z.output<typeof PanelMessage>;

const number = z.string().regex(/^\d{5,20}$/, { error: problem('VALUE_INVALID') });

export const listPipedriveMessages = endpoint({
  id: 'pipedrive.messages',
  method: 'GET',
  path: '/v1/pipedrive-messages',
  summary: 'List the latest messages between a sender and a number, newest first',
  needs: 'MESSAGES:view',
  audience: 'panel',
  unattended: true,
  query: z.object({ sender_id: uuid('MESSAGE_SENDER_NOT_FOUND'), number }),
  output: z.array(PanelMessage),
  problems: ['MESSAGE_SENDER_NOT_FOUND', 'CONVERSATION_ACCESS_DENIED'],
});

export const sendPipedriveMessage = endpoint({
  id: 'pipedrive.send',
  method: 'POST',
  path: '/v1/pipedrive-messages',
  summary: 'Send a message to a person, and log it in Pipedrive',
  needs: 'MESSAGES:add',
  audience: 'panel',
  body: z.object({
    sender_id: uuid('MESSAGE_SENDER_NOT_FOUND'),
    to: z
      .string({ error: problem('RECIPIENT_REQUIRED') })
      .trim()
      .min(1, { error: problem('RECIPIENT_REQUIRED') })
      .max(40),
    person_id: z.string().regex(/^\d{1,18}$/, { error: problem('VALUE_INVALID') }),
    deal_id: z
      .string()
      .regex(/^\d{1,18}$/, { error: problem('VALUE_INVALID') })
      .nullish(),
    text: z
      .string()
      .max(MAX_TEXT, { error: problem('MESSAGE_TEXT_TOO_LONG') })
      .nullish(),
    template: uuid('MESSAGE_TEMPLATE_ID_INVALID').nullish(),
    variables: z.array(z.string().max(2_000).nullable()).max(50).nullish(),
  }),
  status: 201,
  idempotent: true,
  keeps_refusals: true,
  output: Message,
  problems: [
    ...SENDING_PROBLEMS,
    ...CONTENT_PROBLEMS,
    ...TEMPLATE_USE_PROBLEMS,
    ...RECIPIENT_PROBLEMS,
    ...IDEMPOTENCY_PROBLEMS,
    'CONVERSATION_ACCESS_DENIED',
  ],
});
