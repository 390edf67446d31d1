/** API keys: creating, scoping, rotating, and deleting them. Only people manage keys; a key cannot manage keys. */
import { z } from 'zod';
import { idParams, listQuery, micros, problem, range, search, timestamp, timestampInput } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { FULL, type Permissions, RESOURCES } from '../permission.ts';
import { spend } from '../spend.ts';
import { type StatusWord, statusWord } from '../status.ts';
import { ROLES } from '../team/team.ts';

export const KEY_STATES = ['active', 'expired'] as const;
export const KEY_STATUS: Readonly<Record<(typeof KEY_STATES)[number], StatusWord>> = {
  active: statusWord('Active', 'ok', 'check'),
  expired: statusWord('Expired', 'off', 'clock'),
};

export const MAX_KEYS = 100;
export const MAX_ADDRESSES = 50;
const MAX_REQUESTS_PER_SECOND = 10_000;
const MAX_UNAPPROVED_RECIPIENTS = 1_000_000;
const MAX_SPEND_MICROS = 1_000_000_000_000;
export const USAGE_DAYS = 30;
/** How long the previous key stays valid after a rotation, in seconds. */
export const GRACE_SECONDS = { min: 0, max: 604_800 } as const;
/** How long a replaced credential stays valid. */
export const graceSeconds = z
  .int({ error: problem('API_KEY_GRACE_INVALID') })
  .min(GRACE_SECONDS.min, { error: problem('API_KEY_GRACE_INVALID') })
  .max(GRACE_SECONDS.max, { error: problem('API_KEY_GRACE_INVALID') });

const allOn = (...resources: (typeof RESOURCES)[number][]): Permissions =>
  Object.fromEntries(resources.map((resource) => [resource, FULL]));
/** Sets of scopes for common uses. Only the scopes are stored. */
export const SCOPE_PRESETS: Readonly<Record<string, { label: string; description: string; permissions: Permissions }>> =
  {
    messages: {
      label: 'Send messages',
      description: 'Sends messages, reads the message log, and uses templates and senders.',
      permissions: { MESSAGES: 15, SENDERS: 1, TEMPLATES: 1, MEDIA: 3 },
    },
    campaigns: {
      label: 'Campaigns and contacts',
      description: 'Manages audiences and campaigns, and sends messages.',
      permissions: { ...allOn('AUDIENCES', 'CAMPAIGNS', 'MESSAGES', 'SHORT_URLS'), SENDERS: 1, TEMPLATES: 1, MEDIA: 3 },
    },
    read_only: ROLES.read_only!,
    full_access: {
      label: 'Full access',
      description: 'Everything an API key can do.',
      permissions: allOn(...RESOURCES),
    },
  };

export const ApiKey = z.object({
  id: z.string(),
  account_id: z.string(),
  name: z.string(),
  /** The beginning and the end of the key. The complete key is returned once: when it is created or rotated. */
  key: z.string(),
  permissions: z.record(z.string(), z.int()),
  /** True for a test key: its messages are free, reach no phone, and are kept apart from live ones. */
  test: z.boolean(),
  /** The IP addresses and networks that may use the key. Empty means all. */
  addresses: z.array(z.string()),
  state: z.enum(KEY_STATES),
  expire_date: timestamp.nullable(),
  /** Null means the installation's limit. */
  requests_per_second: z.int().nullable(),
  /** The maximum cost of its messages per calendar month in UTC. Null means no limit. */
  spend_limit_micros: micros.nullable(),
  /** Recipients per day in UTC above which a person must approve each message. Null means no limit. */
  approval_recipients: z.int().nullable(),
  /** The maximum cost of its messages per day in UTC before a person must approve each message. Null means no limit. */
  approval_micros: micros.nullable(),
  /** The cost of its messages this month when they were accepted. Counted only while the key has a spend limit. */
  spent_micros: spend(micros),
  last_used_date: timestamp.nullable(),
  last_used_address: z.string().nullable(),
  /** Until this time, the previous key is also valid. */
  previous_expire_date: timestamp.nullable(),
  created_by: z.string().nullable(),
  create_date: timestamp,
  update_date: timestamp,
});
export type ApiKey = z.output<typeof ApiKey>;

const invalidScopes = { error: problem('PERMISSIONS_INVALID') };
const permissions = z
  .partialRecord(
    z.enum(RESOURCES, invalidScopes),
    z.int(invalidScopes).min(0, invalidScopes).max(FULL, invalidScopes),
    invalidScopes,
  )
  .refine((bits) => Object.values(bits).some((value) => (value ?? 0) > 0), {
    error: problem('API_KEY_SCOPE_REQUIRED'),
  });

const name = z
  .string({ error: problem('API_KEY_NAME_REQUIRED') })
  .transform((text) => text.normalize('NFC').replace(/\s+/gu, ' ').trim())
  .pipe(
    z
      .string()
      .min(1, { error: problem('API_KEY_NAME_REQUIRED') })
      .max(60, { error: problem('API_KEY_NAME_TOO_LONG') }),
  );

const fields = {
  name,
  permissions,
  addresses: z
    .array(z.string().trim().max(50), { error: problem('API_KEY_ADDRESS_INVALID') })
    .max(MAX_ADDRESSES, { error: problem('API_KEY_ADDRESSES_LIMIT_EXCEEDED') })
    .meta({ description: 'IPv4 and IPv6 addresses, or networks such as `192.0.2.0/24`. Empty means all addresses.' }),
  /** Null if the key does not expire. */
  expire_date: timestampInput('API_KEY_EXPIRY_INVALID').nullable(),
  requests_per_second: z
    .int({ error: problem('API_KEY_RATE_INVALID') })
    .min(1, { error: problem('API_KEY_RATE_INVALID') })
    .max(MAX_REQUESTS_PER_SECOND, { error: problem('API_KEY_RATE_INVALID') })
    .nullable()
    .meta({ description: 'Lowers the limit of the installation for this key. Null means no separate limit.' }),
  spend_limit_micros: z
    .int({ error: problem('API_KEY_SPEND_LIMIT_INVALID') })
    .min(1, { error: problem('API_KEY_SPEND_LIMIT_INVALID') })
    .max(MAX_SPEND_MICROS, { error: problem('API_KEY_SPEND_LIMIT_INVALID') })
    .nullable()
    .meta({ description: 'The most the key’s messages may cost per calendar month in UTC. Null means no limit.' }),
  approval_recipients: range(0, MAX_UNAPPROVED_RECIPIENTS).nullable().meta({
    description: 'Recipients per day in UTC above which a person approves each message. Null means no limit.',
  }),
  approval_micros: range(0, MAX_SPEND_MICROS).nullable().meta({
    description: 'Cost per day in UTC above which a person must approve each message. Null means no limit.',
  }),
};

export const listKeys = endpoint({
  id: 'keys.list',
  method: 'GET',
  path: '/v1/keys',
  summary: 'List the API keys, newest first',
  needs: 'KEYS:view',
  audience: 'session',
  query: listQuery({ search }),
  list: true,
  output: ApiKey,
  problems: [],
});

export const getKey = endpoint({
  id: 'keys.get_one',
  method: 'GET',
  path: '/v1/keys/{id}',
  summary: 'Get an API key, without its secret',
  needs: 'KEYS:view',
  audience: 'session',
  params: idParams('API_KEY_ID_INVALID'),
  output: ApiKey,
  problems: ['API_KEY_ID_INVALID', 'API_KEY_NOT_FOUND'],
});

export const getKeyUsage = endpoint({
  id: 'keys.get_usage',
  method: 'GET',
  path: '/v1/keys/{id}/usage',
  summary: 'Get the number of requests made with an API key on each of the last 30 days in UTC',
  needs: 'KEYS:view',
  audience: 'session',
  params: idParams('API_KEY_ID_INVALID'),
  output: z.object({
    days: z.array(
      z.object({
        date: z.string(),
        requests: z.int(),
        /** The requests that failed. */
        errors: z.int(),
      }),
    ),
  }),
  problems: ['API_KEY_ID_INVALID', 'API_KEY_NOT_FOUND'],
});

const FIELD_PROBLEMS = [
  'API_KEY_NAME_REQUIRED',
  'API_KEY_NAME_TOO_LONG',
  'API_KEY_SCOPE_REQUIRED',
  'API_KEY_ADDRESS_INVALID',
  'API_KEY_ADDRESSES_LIMIT_EXCEEDED',
  'API_KEY_EXPIRY_INVALID',
  'API_KEY_RATE_INVALID',
  'API_KEY_SPEND_LIMIT_INVALID',
  'PERMISSIONS_INVALID',
  'PERMISSION_GRANT_NOT_ALLOWED',
] as const;

export const createKey = endpoint({
  id: 'keys.create',
  method: 'POST',
  path: '/v1/keys',
  summary: 'Create an API key; this response is the only one that contains the complete key',
  needs: 'KEYS:add',
  audience: 'session',
  verified: true,
  body: z.object({
    name: fields.name,
    permissions: fields.permissions,
    addresses: fields.addresses.optional(),
    expire_date: fields.expire_date.optional(),
    requests_per_second: fields.requests_per_second.optional(),
    spend_limit_micros: fields.spend_limit_micros.optional(),
    approval_recipients: fields.approval_recipients.optional(),
    approval_micros: fields.approval_micros.optional(),
    test: z.boolean().optional().meta({ description: 'True for a test key. This cannot be changed later.' }),
  }),
  status: 201,
  output: ApiKey,
  problems: [...FIELD_PROBLEMS, 'API_KEYS_LIMIT_EXCEEDED'],
});

export const updateKey = endpoint({
  id: 'keys.update',
  method: 'PUT',
  path: '/v1/keys/{id}',
  summary: 'Change the name, scopes, addresses, or expiration date of an API key',
  needs: 'KEYS:edit',
  audience: 'session',
  params: idParams('API_KEY_ID_INVALID'),
  body: z.object(fields).partial(),
  output: ApiKey,
  problems: ['API_KEY_ID_INVALID', 'API_KEY_NOT_FOUND', ...FIELD_PROBLEMS],
});

export const rotateKey = endpoint({
  id: 'keys.rotate',
  method: 'POST',
  path: '/v1/keys/{id}/rotations',
  summary: 'Replace an API key; the previous key stays valid for the given time',
  needs: 'KEYS:edit',
  audience: 'session',
  verified: true,
  params: idParams('API_KEY_ID_INVALID'),
  body: z.object({
    grace_seconds: graceSeconds.optional(),
  }),
  status: 201,
  output: ApiKey,
  problems: ['API_KEY_ID_INVALID', 'API_KEY_NOT_FOUND', 'API_KEY_GRACE_INVALID', 'PERMISSION_GRANT_NOT_ALLOWED'],
});

export const removeKey = endpoint({
  id: 'keys.remove',
  method: 'DELETE',
  path: '/v1/keys/{id}',
  summary: 'Delete an API key; it stops working immediately',
  needs: 'KEYS:delete',
  audience: 'session',
  params: idParams('API_KEY_ID_INVALID'),
  status: 204,
  output: z.null(),
  problems: ['API_KEY_ID_INVALID', 'API_KEY_NOT_FOUND'],
});

/** Contains no part of a key. */
export const keysChanged = event({
  id: 'key.changed',
  modules: ['keys'],
  needs: 'KEYS:view',
  payload: z.object({ id: z.string() }),
});
