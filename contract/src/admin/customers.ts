/**
 * Customers as operators see them. Operators search, approve, block, and support customers, and enter their accounts.
 */
import { z } from 'zod';
import { AUDIT_PHRASES, AuditEntry } from '../accounts/audit_log.ts';
import { Account } from '../accounts/shapes.ts';
import { ACCOUNT_STATUSES } from '../accounts/statuses.ts';
import { DEFAULT_IMPORT_ROWS, MAX_IMPORT_ROWS } from '../audiences/limits.ts';
import { PHONE_CHANNEL } from '../channels/index.ts';
import { CHANNELS } from '../channels/names.ts';
import {
  commaList,
  companyName,
  country,
  idParams,
  listQuery,
  micros,
  problem,
  search,
  timestamp,
  uuid,
  wordList,
} from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { TRAFFIC_CLASSES } from '../messages/traffic_classes.ts';
import { Sender, SMS_SENDER_TYPES, senderStatus } from '../senders/senders.ts';
import { type StatusWord, statusWord } from '../status.ts';
import { TeamUser } from '../team/team.ts';

export const Customer = Account.omit({
  preference: true,
  company_size_id: true,
  user_country: true,
  is_us_or_ca_account: true,
}).extend({
  owner_name: z.string(),
  owner_email: z.string(),
  users_count: z.int(),
  senders_count: z.int(),
  available_micros: micros,
  held_micros: micros,
  credit_limit_micros: micros,
  block_reason: z.string(),
  closed: z.boolean(),
  /** Number of messages in the last 30 days. */
  messages_30_days: z.int(),
});
export type Customer = z.output<typeof Customer>;
/** Shown instead of the status of a closed account. */
export const CLOSED_ACCOUNT = statusWord('Closed', 'off', 'ban');

export const listCustomers = endpoint({
  id: 'customers.list',
  method: 'GET',
  path: '/v1/accounts',
  summary: 'List accounts. Search by company, email address, sender, or ID',
  needs: 'ACCOUNTS:view',
  audience: 'operator',
  sorts: ['company_name', 'status', 'country_code', 'create_date'],
  query: listQuery({ search, statuses: wordList(ACCOUNT_STATUSES), tags: commaList(z.string()) }),
  list: true,
  output: Customer.omit({ messages_30_days: true }),
  problems: ['OPERATOR_ONLY'],
});
export const getCustomer = endpoint({
  id: 'customers.get',
  method: 'GET',
  path: '/v1/accounts/{id}',
  summary: 'Get an account',
  needs: 'ACCOUNTS:view',
  audience: 'operator',
  params: idParams('ACCOUNT_NOT_FOUND'),
  output: Customer,
  problems: ['ACCOUNT_NOT_FOUND', 'OPERATOR_ONLY'],
});
export const updateCustomer = endpoint({
  id: 'customers.update',
  method: 'PUT',
  path: '/v1/accounts/{id}',
  summary:
    'Update the tags, channels, name, country, import limit, credit limit, or tax rate of an account. Changing the ' +
    'credit limit or the tax rate requires PAYMENTS:edit (otherwise error 1136)',
  needs: 'ACCOUNTS:edit',
  audience: 'operator',
  params: idParams('ACCOUNT_NOT_FOUND'),
  body: z
    .object({
      company_name: companyName,
      country_code: country('COUNTRY_INVALID'),
      tags: z.array(z.string().regex(/^[A-Z0-9_]{1,20}$/)).max(20),
      channels: z.array(z.enum(CHANNELS)).max(3),
      credit_limit_micros: micros.min(0).max(1_000_000_000_000),
      /** In percent. 0 applies the VAT rules of the country. */
      tax_rate: z.number().min(0).max(100),
      /** The maximum number of rows in an imported file. */
      import_rows: z.int().min(DEFAULT_IMPORT_ROWS).max(MAX_IMPORT_ROWS),
      reason: z.string().trim().max(300),
    })
    .partial(),
  output: Customer,
  problems: [
    'ACCOUNT_NOT_FOUND',
    'COMPANY_NAME_EXISTS',
    'PERMISSION_REQUIRED',
    'OPERATOR_ONLY',
    'ACCOUNT_CLOSED',
    'OWNER_CHANGE_NOT_ALLOWED',
    'COUNTRY_INVALID',
    'CREDIT_LIMIT_TOO_LOW',
  ],
});
/** All users of the account are signed out within a second, and its API keys stop working. */
export const blockCustomer = endpoint({
  id: 'customers.block',
  method: 'PUT',
  path: '/v1/accounts/{id}/block',
  summary: 'Block or unblock an account',
  needs: 'ACCOUNTS:edit',
  audience: 'operator',
  params: idParams('ACCOUNT_NOT_FOUND'),
  body: z.object({ blocked: z.boolean(), reason: z.string().trim().min(3).max(300) }),
  output: Customer,
  problems: ['ACCOUNT_NOT_FOUND', 'OPERATOR_ONLY', 'OWNER_CHANGE_NOT_ALLOWED'],
});
export const reopenCustomer = endpoint({
  id: 'customers.reopen',
  method: 'PUT',
  path: '/v1/accounts/{id}/reopen',
  summary: 'Reopen an account that was closed less than 30 days ago',
  needs: 'ACCOUNTS:edit',
  audience: 'operator',
  params: idParams('ACCOUNT_NOT_FOUND'),
  body: z.object({}),
  output: Customer,
  problems: ['ACCOUNT_NOT_FOUND', 'COMPANY_NAME_EXISTS', 'OPERATOR_ONLY'],
});
export const listCustomerUsers = endpoint({
  id: 'customers.list_users',
  method: 'GET',
  path: '/v1/accounts/{id}/users',
  summary: 'List the users of an account',
  needs: 'USERS:view',
  audience: 'operator',
  params: idParams('ACCOUNT_NOT_FOUND'),
  sorts: ['name', 'status', 'position', 'last_seen_date'],
  query: listQuery({ search }),
  list: true,
  output: TeamUser,
  problems: ['ACCOUNT_NOT_FOUND', 'OPERATOR_ONLY'],
});
export const blockCustomerUser = endpoint({
  id: 'customers.block_user',
  method: 'PUT',
  path: '/v1/accounts/{id}/users/{user_id}/block',
  summary: 'Block or unblock a user or an owner',
  needs: 'USERS:edit',
  audience: 'operator',
  params: z.object({ id: uuid('ACCOUNT_NOT_FOUND'), user_id: uuid('USER_NOT_FOUND') }),
  body: z.object({ blocked: z.boolean(), reason: z.string().trim().min(3).max(300) }),
  output: TeamUser,
  problems: [
    'ACCOUNT_NOT_FOUND',
    'USER_NOT_FOUND',
    'PERMISSION_REQUIRED',
    'OPERATOR_ONLY',
    'OWNER_CHANGE_NOT_ALLOWED',
    'SELF_CHANGE_NOT_ALLOWED',
  ],
});
export const listCustomerAudit = endpoint({
  id: 'customers.list_audit',
  method: 'GET',
  path: '/v1/accounts/{id}/audit_log',
  summary: 'List the audit log of an account',
  needs: 'ACCOUNTS:view',
  audience: 'operator',
  params: idParams('ACCOUNT_NOT_FOUND'),
  sorts: ['create_date'],
  query: listQuery({ search, actions: wordList(Object.keys(AUDIT_PHRASES)) }),
  list: true,
  output: AuditEntry,
  problems: ['ACCOUNT_NOT_FOUND', 'OPERATOR_ONLY'],
});
export const listCustomerSenders = endpoint({
  id: 'customers.list_senders',
  method: 'GET',
  path: '/v1/accounts/{id}/senders',
  summary: 'List the senders of an account',
  needs: 'SENDERS:view',
  audience: 'operator',
  params: idParams('ACCOUNT_NOT_FOUND'),
  sorts: ['code', 'status', 'channel', 'type', 'create_date'],
  query: listQuery({ name: search, statuses: commaList(senderStatus) }),
  list: true,
  output: Sender,
  problems: ['ACCOUNT_NOT_FOUND', 'OPERATOR_ONLY', 'SENDER_STATUS_INVALID'],
});
export const createCustomerSender = endpoint({
  id: 'customers.create_sender',
  method: 'POST',
  path: '/v1/accounts/{id}/senders',
  summary: 'Create a sender for an account',
  needs: 'SENDERS:add',
  audience: 'operator',
  params: idParams('ACCOUNT_NOT_FOUND'),
  body: z.object({
    name: z.string().trim().min(1).max(45),
    /** Digits, or up to 11 letters and digits for a name. */
    code: z.string().trim().min(1).max(15),
    /** Senders for WhatsApp and Viber cannot be created here, because they require a request (`requests`). */
    channel: z.literal(PHONE_CHANNEL, { error: problem('SENDER_CHANNEL_INVALID') }).default(PHONE_CHANNEL),
    type: z.enum(SMS_SENDER_TYPES),
    countries: z.array(country('COUNTRY_CODE_INVALID')).max(250).default([]),
    brand: z.string().trim().max(60).default(''),
    /** True if the sender receives replies. Always false for a name. */
    two_way: z.boolean().default(false),
  }),
  status: 201,
  output: Sender,
  problems: [
    'ACCOUNT_NOT_FOUND',
    'OPERATOR_ONLY',
    'ACCOUNT_CLOSED',
    'SENDER_ID_INVALID',
    'SENDER_CODE_INVALID',
    'SENDER_ID_EXISTS',
    'SENDER_NAME_EXISTS',
  ],
});

/** How long an impersonated session lasts. The key that opens it from the admin view works once, within 60 seconds. */
export const IMPERSONATION_MINUTES = 30;
export const createAuthSession = endpoint({
  id: 'auth_sessions.create',
  method: 'POST',
  path: '/v1/auth_sessions',
  summary: 'Create a single-use key to enter an account as one of its users. The customer can see the reason',
  needs: 'ACCOUNTS:edit',
  audience: 'operator',
  body: z.object({
    account_id: uuid('ACCOUNT_NOT_FOUND'),
    user_id: uuid('USER_NOT_FOUND').optional(),
    reason: z.string().trim().min(5).max(300),
  }),
  status: 201,
  output: z.object({ session_id: z.string(), url: z.string(), expire_date: timestamp }),
  problems: [
    'ACCOUNT_NOT_FOUND',
    'USER_NOT_FOUND',
    'USER_BLOCKED',
    'OPERATOR_ONLY',
    'ACCOUNT_CLOSED',
    'OWNER_CHANGE_NOT_ALLOWED',
  ],
});
export const openAuthSession = endpoint({
  id: 'auth_sessions.open',
  method: 'GET',
  path: '/v1/auth_sessions/{id}',
  summary: 'Exchange the key for a 30-minute session with all permissions, except that KEYS is 0 and MEDIA is 3',
  needs: 'public',
  params: z.object({ id: z.string().max(100) }),
  output: z.object({ access_token: z.string(), expire_date: timestamp }),
  problems: ['IMPERSONATION_INVALID'],
});
export const endImpersonation = endpoint({
  id: 'auth_sessions.end',
  method: 'DELETE',
  path: '/v1/auth_sessions/self',
  summary: 'End impersonation and leave the account',
  needs: null,
  audience: 'session',
  status: 204,
  output: z.null(),
  problems: ['IMPERSONATION_INVALID'],
});

const HEALTH_STATUSES = ['good', 'warning', 'bad'] as const;
export const HEALTH_STATUS: Readonly<Record<(typeof HEALTH_STATUSES)[number], StatusWord>> = {
  good: statusWord('Healthy', 'ok', 'check'),
  warning: statusWord('Warning', 'wait', 'alert'),
  bad: statusWord('Critical', 'fail', 'cross'),
};
export const WORKER_STATE = {
  alive: statusWord('Online', 'ok', 'check'),
  silent: statusWord('Offline', 'fail', 'cross'),
};

export const Health = z.object({
  /** The worst status among the checks below. */
  status: z.enum(HEALTH_STATUSES),
  checks: z.array(
    z.object({
      name: z.string(),
      label: z.string(),
      status: z.enum(HEALTH_STATUSES),
      value: z.string(),
      detail: z.string(),
      /** The figure of the check in each minute of the last hour, oldest first; empty if the check has none. */
      trend: z.array(z.number()),
    }),
  ),
  queues: z.array(
    z.object({
      name: z.string(),
      waiting: z.int(),
      active: z.int(),
      failed: z.int(),
      oldest_seconds: z.int().nullable(),
    }),
  ),
  /** The messages that are due, by connection and traffic class. */
  waiting: z.array(
    z.object({
      connection_id: z.string(),
      connection: z.string(),
      traffic_class: z.enum(TRAFFIC_CLASSES),
      count: z.int(),
      /** True if the count stopped at a limit. */
      is_minimum: z.boolean(),
      oldest_seconds: z.int(),
    }),
  ),
  workers: z.array(
    z.object({ id: z.string(), role: z.string(), host: z.string(), last_seen_date: timestamp, alive: z.boolean() }),
  ),
  doctor: z.object({
    date: timestamp.nullable(),
    findings: z.array(z.object({ check: z.string(), count: z.int(), text: z.string() })),
  }),
  release: z.string(),
  database_bytes: z.int(),
});
export type Health = z.output<typeof Health>;
export const getHealth = endpoint({
  id: 'health.get',
  method: 'GET',
  path: '/v1/health',
  summary: 'Get the state of the installation: queues, workers, emails, database, and last doctor run',
  needs: 'ACCOUNTS:view',
  audience: 'operator',
  output: Health,
  problems: ['OPERATOR_ONLY'],
});
export const runDoctor = endpoint({
  id: 'health.run_doctor',
  method: 'POST',
  path: '/v1/doctor_runs',
  summary: 'Run all consistency checks without changing any data',
  needs: 'ACCOUNTS:edit',
  audience: 'operator',
  body: z.object({}),
  timeout_ms: 60_000,
  output: Health.shape.doctor,
  problems: ['OPERATOR_ONLY'],
});

/** Customer data that operators see has changed. Sent to the operators' account. */
export const customerChanged = event({
  id: 'customer.changed',
  modules: ['customers', 'requests'],
  needs: 'ACCOUNTS:view',
  payload: z.object({ id: z.string() }),
});
