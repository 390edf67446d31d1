/** A person's sessions, and their password, email address, name, and personal data. */
import { z } from 'zod';
import { timestamp, uuid } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { code, Verification } from '../verify/codes.ts';
import { reauthentication } from './reauthentication.ts';
import { email, firstName, lastName, password } from './sign_up.ts';

export const Session = z.object({
  id: z.string(),
  /** True for the session that made this request. */
  current: z.boolean(),
  company_name: z.string(),
  method: z.string(),
  second_factor: z.boolean(),
  /** The browser's user agent. */
  agent: z.string(),
  /** A readable description of the user agent, such as "Chrome on Windows". */
  device: z.string(),
  address: z.string(),
  create_date: timestamp,
  last_used_date: timestamp,
  expire_date: timestamp,
});
export type Session = z.output<typeof Session>;

export const listSessions = endpoint({
  id: 'sessions.list',
  method: 'GET',
  path: '/v1/users/self/sessions',
  summary: 'List the caller’s open sessions',
  needs: null,
  audience: 'person',
  output: z.array(Session),
  problems: [],
});
export const removeSession = endpoint({
  id: 'sessions.remove',
  method: 'DELETE',
  path: '/v1/users/self/sessions/{id}',
  summary: 'End a session',
  needs: null,
  audience: 'person',
  params: z.object({ id: uuid('SESSION_NOT_FOUND') }),
  status: 204,
  output: z.null(),
  problems: ['SESSION_NOT_FOUND'],
});
export const removeOtherSessions = endpoint({
  id: 'sessions.remove_others',
  method: 'DELETE',
  path: '/v1/users/self/sessions',
  summary: 'End all sessions except this one',
  needs: null,
  audience: 'person',
  output: z.object({ ended: z.int() }),
  problems: [],
});

/** Ends all other sessions and notifies the user by email. The current session continues with a new token. */
export const changePassword = endpoint({
  id: 'sessions.change_password',
  method: 'PUT',
  path: '/v1/users/self/password',
  summary: 'Change or set the password; returns a token that replaces the current token',
  needs: null,
  audience: 'person',
  body: z.object({ ...reauthentication, password }),
  output: z.object({ access_token: z.string(), expire_date: timestamp }),
  problems: [
    'PASSWORD_TOO_WEAK',
    'PASSWORD_TOO_COMMON',
    'PASSWORD_UNCHANGED',
    'SIGN_IN_ATTEMPTS_EXCEEDED',
    'PROOF_REQUIRED',
  ],
});
export const createEmailChange = endpoint({
  id: 'sessions.create_email_change',
  method: 'POST',
  path: '/v1/users/self/email_changes',
  summary: 'Send a code to a new email address; the old address is notified after the change',
  needs: null,
  audience: 'person',
  body: z.object({ email, ...reauthentication }),
  status: 201,
  output: Verification,
  problems: [
    'EMAIL_INVALID',
    'SIGN_IN_ATTEMPTS_EXCEEDED',
    'PROOF_REQUIRED',
    'CODE_LIMIT_REACHED',
    'CODE_SENT_RECENTLY',
  ],
});
export const confirmEmailChange = endpoint({
  id: 'sessions.confirm_email_change',
  method: 'PUT',
  path: '/v1/users/self/email_changes/{id}',
  summary: 'Confirm the new email address with the code sent to it',
  needs: null,
  audience: 'person',
  params: z.object({ id: uuid('VERIFICATION_CODE_NOT_FOUND') }),
  body: z.object({ code }),
  status: 204,
  output: z.null(),
  problems: ['VERIFICATION_CODE_NOT_FOUND', 'VERIFICATION_CODE_INVALID', 'VERIFICATION_EXPIRED'],
});
export const updateSelf = endpoint({
  id: 'users.update_self',
  method: 'PUT',
  path: '/v1/users/self',
  summary: 'Update the caller’s name and position',
  needs: null,
  audience: 'person',
  body: z.object({ first_name: firstName, last_name: lastName, position: z.string().trim().max(60).optional() }),
  status: 204,
  output: z.null(),
  problems: ['FIRST_NAME_REQUIRED', 'LAST_NAME_REQUIRED'],
});
export const exportPersonalData = endpoint({
  id: 'users.export_personal_data',
  method: 'GET',
  path: '/v1/users/self/personal_data',
  summary: 'Download all of the caller’s personal data as a JSON file',
  needs: null,
  audience: 'person',
  raw: 'application/json',
  output: z.null(),
  problems: [],
});

export const listOwnAccounts = endpoint({
  id: 'users.list_accounts',
  method: 'GET',
  path: '/v1/users/self/accounts',
  summary: 'List the companies the caller belongs to and the sub-accounts they can enter',
  needs: null,
  audience: 'person',
  output: z.array(
    z.object({
      user_id: z.string(),
      account_id: z.string(),
      company_name: z.string(),
      relation: z.enum(['member', 'sub_account']),
      current: z.boolean(),
    }),
  ),
  problems: [],
});
/** `id`: the caller's user in another company, or the owner of a sub-account (requires ACCOUNTS edit). */
export const switchAccount = endpoint({
  id: 'users.switch',
  method: 'GET',
  path: '/v1/users/{id}/token',
  summary: 'Open a session in another of the caller’s companies, or in a sub-account',
  needs: null,
  audience: 'person',
  params: z.object({ id: uuid('USER_NOT_FOUND') }),
  output: z.object({ access_token: z.string(), expire_date: timestamp }),
  problems: ['USER_NOT_FOUND', 'USER_BLOCKED', 'PERMISSION_REQUIRED', 'PHONE_UNVERIFIED', 'SECOND_FACTOR_REQUIRED'],
});
