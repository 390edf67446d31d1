/**
 * SMPP accounts: the credentials with which a company’s programs bind to this installation, and their live sessions.
 * Only signed-in users can manage them.
 */
import { z } from 'zod';
import { idParams, listQuery, problem, search, timestamp, uuid } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { graceSeconds } from '../keys/keys.ts';
import { type StatusWord, statusWord } from '../status.ts';

export const SMPP_STATES = ['active', 'paused'] as const;
export const SMPP_STATUS: Readonly<Record<(typeof SMPP_STATES)[number], StatusWord>> = {
  active: statusWord('Active', 'ok', 'check'),
  paused: statusWord('Paused', 'wait', 'paused'),
};

export const BIND_TYPES = ['transceiver', 'transmitter', 'receiver'] as const;
export type BindType = (typeof BIND_TYPES)[number];

export const MAX_SMPP_ACCOUNTS = 20;
export const MAX_SMPP_ADDRESSES = 50;
export const MAX_SMPP_SOURCES = 50;
export const SMPP_WINDOW = { min: 1, max: 1_000, default: 50 } as const;
export const SMPP_THROUGHPUT = { min: 1, max: 10_000 } as const;
export const SMPP_BINDS = { min: 1, max: 50, default: 4 } as const;

export const SmppAccount = z.object({
  id: z.string(),
  account_id: z.string(),
  name: z.string(),
  system_id: z.string(),
  /** Returned once: when the account is created or its password is replaced. */
  password: z.string().nullable(),
  /**
   * The time until which programs can also bind with the previous password. Null if only the current password works.
   */
  previous_expire_date: timestamp.nullable(),
  /** The IP addresses and networks that may bind. Empty means all. */
  addresses: z.array(z.string()),
  /** The source addresses it can send from. Empty for all senders of the company. */
  sources: z.array(z.string()),
  bind_types: z.array(z.enum(BIND_TYPES)),
  /** The maximum number of submits per session that may await a response. */
  window: z.int(),
  /** Submits per second across all its sessions. Null means the installation's limit. */
  throughput: z.int().nullable(),
  /** The maximum number of sessions bound at the same time. */
  max_binds: z.int(),
  /** True if programs must bind over TLS. */
  tls: z.boolean(),
  /** True if inbound messages to its source addresses are delivered to its sessions. */
  receives_inbound: z.boolean(),
  status: z.enum(SMPP_STATES),
  bound_count: z.int(),
  /** Receipts and inbound messages waiting for a session. */
  pending_count: z.int(),
  last_bound_date: timestamp.nullable(),
  /** Why the last bind was refused; null once a bind succeeds. */
  last_error: z.string().nullable(),
  last_error_date: timestamp.nullable(),
  created_by: z.string().nullable(),
  create_date: timestamp,
  update_date: timestamp,
});
export type SmppAccount = z.output<typeof SmppAccount>;

export const SmppSession = z.object({
  id: z.string(),
  bind_type: z.enum(BIND_TYPES),
  address: z.string(),
  tls: z.boolean(),
  window: z.int(),
  bound_date: timestamp,
  /** Messages accepted from this session. */
  accepted_count: z.int(),
  refused_count: z.int(),
  /** Receipts and inbound messages that its program confirmed. */
  delivered_count: z.int(),
  /** Accepted messages per second, averaged over the last few seconds. */
  rate: z.number(),
  last_error: z.string().nullable(),
  last_error_date: timestamp.nullable(),
});
export type SmppSession = z.output<typeof SmppSession>;

const name = z
  .string({ error: problem('SMPP_NAME_REQUIRED') })
  .transform((text) => text.normalize('NFC').replace(/\s+/gu, ' ').trim())
  .pipe(
    z
      .string()
      .min(1, { error: problem('SMPP_NAME_REQUIRED') })
      .max(60, { error: problem('SMPP_NAME_TOO_LONG') }),
  );

const whole = (code: Parameters<typeof problem>[0], { min, max }: { min: number; max: number }) =>
  z
    .int({ error: problem(code) })
    .min(min, { error: problem(code) })
    .max(max, { error: problem(code) });

const fields = {
  name,
  addresses: z
    .array(z.string().trim().max(50), { error: problem('SMPP_ADDRESS_INVALID') })
    .max(MAX_SMPP_ADDRESSES, { error: problem('SMPP_ADDRESSES_LIMIT_EXCEEDED') })
    .meta({ description: 'IPv4 and IPv6 addresses, or networks such as `192.0.2.0/24`. Empty means all addresses.' }),
  sources: z
    .array(
      z
        .string()
        .trim()
        .regex(/^\+?[^\p{C}]{1,20}$/u, { error: problem('SMPP_SOURCE_INVALID') }),
      { error: problem('SMPP_SOURCE_INVALID') },
    )
    .max(MAX_SMPP_SOURCES, { error: problem('SMPP_SOURCES_LIMIT_EXCEEDED') })
    .meta({ description: 'Numbers and sender IDs that it may use as the source. Empty means all senders.' }),
  bind_types: z
    .array(z.enum(BIND_TYPES, { error: problem('SMPP_BIND_TYPES_INVALID') }), {
      error: problem('SMPP_BIND_TYPES_INVALID'),
    })
    .min(1, { error: problem('SMPP_BIND_TYPES_INVALID') })
    .max(BIND_TYPES.length, { error: problem('SMPP_BIND_TYPES_INVALID') }),
  window: whole('SMPP_WINDOW_INVALID', SMPP_WINDOW).meta({
    description: 'Maximum submits per session that can await a response. The installation can have a lower limit.',
  }),
  throughput: whole('SMPP_THROUGHPUT_INVALID', SMPP_THROUGHPUT).nullable().meta({
    description: 'Submits per second across all its sessions. Null means the installation’s limit.',
  }),
  max_binds: whole('SMPP_BINDS_INVALID', SMPP_BINDS),
  tls: z.boolean().meta({ description: 'True: binds without TLS are refused.' }),
  receives_inbound: z
    .boolean()
    .meta({ description: 'True: inbound messages to its source addresses are delivered to its sessions.' }),
};

const FIELD_PROBLEMS = [
  'SMPP_NAME_REQUIRED',
  'SMPP_NAME_TOO_LONG',
  'SMPP_ADDRESS_INVALID',
  'SMPP_ADDRESSES_LIMIT_EXCEEDED',
  'SMPP_SOURCE_INVALID',
  'SMPP_SOURCES_LIMIT_EXCEEDED',
  'SMPP_BIND_TYPES_INVALID',
  'SMPP_WINDOW_INVALID',
  'SMPP_THROUGHPUT_INVALID',
  'SMPP_BINDS_INVALID',
] as const;

const CAP_PROBLEMS = ['SMPP_BINDS_ABOVE_CAP', 'SMPP_THROUGHPUT_ABOVE_CAP'] as const;

const params = idParams('SMPP_ACCOUNT_NOT_FOUND');

export const listSmppAccounts = endpoint({
  id: 'smpp_accounts.list',
  method: 'GET',
  path: '/v1/smpp_accounts',
  summary: 'List the SMPP accounts, newest first',
  needs: 'KEYS:view',
  audience: 'session',
  query: listQuery({ search }),
  list: true,
  output: SmppAccount,
  problems: [],
});

export const getSmppAccount = endpoint({
  id: 'smpp_accounts.get',
  method: 'GET',
  path: '/v1/smpp_accounts/{id}',
  summary: 'Get an SMPP account, without its password',
  needs: 'KEYS:view',
  audience: 'session',
  params,
  output: SmppAccount,
  problems: ['SMPP_ACCOUNT_NOT_FOUND'],
});

export const getSmppServer = endpoint({
  id: 'smpp_server.get',
  method: 'GET',
  path: '/v1/smpp_server',
  summary: 'Get the host and ports that SMPP programs connect to, and the company’s limits',
  needs: 'KEYS:view',
  audience: 'session',
  output: z.object({
    host: z.string(),
    /** Null if the port is closed. */
    port: z.int().nullable(),
    tls_port: z.int().nullable(),
    max_window: z.int(),
    /** The company's limits: those of the installation, unless its operator set lower ones. */
    max_throughput: z.int(),
    max_accounts: z.int(),
    max_binds: z.int(),
    /** How long receipts and inbound messages wait for a session. */
    kept_hours: z.int(),
  }),
  problems: [],
});

export const createSmppAccount = endpoint({
  id: 'smpp_accounts.create',
  method: 'POST',
  path: '/v1/smpp_accounts',
  summary: 'Create an SMPP account; this response is the only one that contains the password',
  needs: 'KEYS:add',
  audience: 'session',
  verified: true,
  body: z.object({
    name: fields.name,
    addresses: fields.addresses.optional(),
    sources: fields.sources.optional(),
    bind_types: fields.bind_types.optional(),
    window: fields.window.optional(),
    throughput: fields.throughput.optional(),
    max_binds: fields.max_binds.optional(),
    tls: fields.tls.optional(),
    receives_inbound: fields.receives_inbound.optional(),
  }),
  status: 201,
  output: SmppAccount,
  problems: [...FIELD_PROBLEMS, ...CAP_PROBLEMS, 'SMPP_ACCOUNTS_LIMIT_EXCEEDED', 'SMPP_GRANT_NOT_ALLOWED'],
});

export const updateSmppAccount = endpoint({
  id: 'smpp_accounts.update',
  method: 'PUT',
  path: '/v1/smpp_accounts/{id}',
  summary: 'Change, pause, or resume an SMPP account; pausing unbinds its sessions',
  needs: 'KEYS:edit',
  audience: 'session',
  params,
  body: z.object({ ...fields, status: z.enum(SMPP_STATES) }).partial(),
  output: SmppAccount,
  problems: ['SMPP_ACCOUNT_NOT_FOUND', ...FIELD_PROBLEMS, ...CAP_PROBLEMS],
});

export const replaceSmppPassword = endpoint({
  id: 'smpp_passwords.create',
  method: 'POST',
  path: '/v1/smpp_accounts/{id}/passwords',
  summary: 'Replace the password of an SMPP account; bound sessions stay bound',
  needs: 'KEYS:edit',
  audience: 'session',
  verified: true,
  params,
  body: z.object({
    grace_seconds: graceSeconds.optional().meta({
      description: 'How long programs can still bind with the previous password. Default: 0.',
    }),
  }),
  status: 201,
  output: SmppAccount,
  problems: ['SMPP_ACCOUNT_NOT_FOUND', 'SMPP_GRANT_NOT_ALLOWED', 'API_KEY_GRACE_INVALID'],
});

export const removeSmppAccount = endpoint({
  id: 'smpp_accounts.remove',
  method: 'DELETE',
  path: '/v1/smpp_accounts/{id}',
  summary: 'Delete an SMPP account; its sessions are unbound',
  needs: 'KEYS:delete',
  audience: 'session',
  params,
  status: 204,
  output: z.null(),
  problems: ['SMPP_ACCOUNT_NOT_FOUND'],
});

export const listSmppSessions = endpoint({
  id: 'smpp_sessions.list',
  method: 'GET',
  path: '/v1/smpp_accounts/{id}/sessions',
  summary: 'List the bound sessions of an SMPP account',
  needs: 'KEYS:view',
  audience: 'session',
  unattended: true,
  params,
  output: z.array(SmppSession),
  problems: ['SMPP_ACCOUNT_NOT_FOUND'],
});

export const disconnectSmppSession = endpoint({
  id: 'smpp_sessions.remove',
  method: 'DELETE',
  path: '/v1/smpp_accounts/{id}/sessions/{session_id}',
  summary: 'Unbind a session within a few seconds; its program can bind again',
  needs: 'KEYS:edit',
  audience: 'session',
  params: params.extend({ session_id: uuid('SMPP_SESSION_NOT_FOUND') }),
  status: 204,
  output: z.null(),
  problems: ['SMPP_ACCOUNT_NOT_FOUND', 'SMPP_SESSION_NOT_FOUND'],
});

/** Contains no part of a password. */
export const smppAccountsChanged = event({
  id: 'smpp_account.changed',
  modules: ['smpp_accounts', 'smpp_sessions'],
  needs: 'KEYS:view',
  payload: z.object({ id: z.string() }),
});
