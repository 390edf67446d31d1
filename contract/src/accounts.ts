/** Who is signed in and for which company. */
import { z } from 'zod';
import { currency, timestamp } from './common.ts';
import { endpoint } from './endpoint.ts';
import { event } from './event.ts';

export const ACCOUNT_STATUSES = ['UNVERIFIED', 'FORM_SUBMITTED', 'VERIFIED', 'BLOCKED'] as const;
export const USER_STATUSES = ['NEW', 'EMAIL_VERIFIED', 'PHONE_VERIFIED', 'BLOCKED'] as const;

export const Account = z.object({
  id: z.string(),
  account_id: z.string(),
  username: z.string(),
  company_name: z.string(),
  country_code: z.string(),
  currency,
  timezone: z.string(),
  status: z.enum(ACCOUNT_STATUSES),
  verified: z.boolean(),
  account_type: z.enum(['MAIN', 'SUB_ACCOUNT']),
  channels: z.array(z.string()),
  tags: z.array(z.string()),
  industry_id: z.int(),
  /** The operators' account: its users work in the admin view. */
  operator: z.boolean(),
  create_date: timestamp,
  update_date: timestamp,
});
export type Account = z.output<typeof Account>;

export const User = z.object({
  id: z.string(),
  account_id: z.string(),
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  full_name: z.string(),
  phone_number: z.string().nullable(),
  position: z.string().nullable(),
  status: z.enum(USER_STATUSES),
  is_owner: z.boolean(),
  permissions: z.record(z.string(), z.int()),
  create_date: timestamp,
});
export type User = z.output<typeof User>;

export const getAccount = endpoint({
  id: 'accounts.get',
  method: 'GET',
  path: '/v1/accounts/self',
  summary: 'The account of the caller',
  needs: null,
  output: Account,
  problems: [1101],
});

export const getUser = endpoint({
  id: 'users.get',
  method: 'GET',
  path: '/v1/users/self',
  summary: 'The signed-in user with the permissions in force',
  needs: null,
  audience: 'session',
  output: User,
  problems: [1101],
});

/** The session's rights or account changed: everything is loaded again. */
export const sessionChanged = event({
  id: 'session.changed',
  modules: ['accounts', 'users'],
  needs: null,
  payload: z.object({ user_id: z.string().nullable() }),
  visible: (payload, viewer) => payload.user_id === null || payload.user_id === viewer.user_id,
});
/** The session has ended elsewhere. */
export const forceLogout = event({
  id: 'session.ended',
  modules: [],
  needs: null,
  payload: z.object({ user_id: z.string() }),
  visible: (payload, viewer) => payload.user_id === viewer.user_id,
});
