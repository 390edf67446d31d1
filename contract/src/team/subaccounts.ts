/** Sub-accounts: accounts that a parent company creates and can enter. */
import { z } from 'zod';
import { ACCOUNT_STATUSES } from '../accounts/accounts.ts';
import { reauthentication } from '../auth/reauthentication.ts';
import { email } from '../auth/sign_up.ts';
import {
  companyName,
  country,
  currency,
  idParams,
  listQuery,
  micros,
  plainName,
  search,
  timestamp,
} from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { spend } from '../spend.ts';

export const SubAccount = z.object({
  id: z.string(),
  company_name: z.string(),
  country_code: z.string(),
  currency,
  timezone: z.string(),
  status: z.enum(ACCOUNT_STATUSES),
  owner_user_id: z.string(),
  owner_email: z.string(),
  owner_name: z.string(),
  users_count: z.int(),
  available_micros: spend(micros),
  create_date: timestamp,
});
export type SubAccount = z.output<typeof SubAccount>;
const sub_account = {
  company_name: companyName,
  country_code: country('COUNTRY_INVALID'),
  timezone: z.string().min(1).max(60),
};
export const listSubAccounts = endpoint({
  id: 'subaccounts.list',
  method: 'GET',
  path: '/v1/accounts/self/subaccounts',
  summary: 'List the company’s sub-accounts',
  needs: 'ACCOUNTS:view',
  audience: 'session',
  sorts: ['company_name', 'status', 'country_code', 'users_count', 'create_date'],
  query: listQuery({ search }),
  list: true,
  output: SubAccount,
  problems: ['PERMISSION_REQUIRED'],
});
/** The sub-account is verified like its parent and has its own balance. Its owner is invited by email. */
export const createSubAccount = endpoint({
  id: 'subaccounts.create',
  method: 'POST',
  path: '/v1/accounts/self/subaccounts',
  summary: 'Create a sub-account',
  needs: 'ACCOUNTS:add',
  audience: 'person',
  verified: true,
  body: z.object({
    ...sub_account,
    email,
    first_name: plainName({ min: 1, max: 60 }),
    last_name: plainName({ min: 1, max: 60 }),
  }),
  status: 201,
  output: SubAccount,
  problems: [
    'EMAIL_INVALID',
    'COMPANY_NAME_EXISTS',
    'PERMISSION_REQUIRED',
    'CODE_LIMIT_REACHED',
    'TIME_ZONE_INVALID',
    'COUNTRY_INVALID',
  ],
});
export const updateSubAccount = endpoint({
  id: 'subaccounts.update',
  method: 'PUT',
  path: '/v1/accounts/self/subaccounts/{id}',
  summary: 'Update, block, or unblock a sub-account',
  needs: 'ACCOUNTS:edit',
  audience: 'person',
  params: idParams('SUBACCOUNT_NOT_FOUND'),
  body: z.object({ ...sub_account, blocked: z.boolean() }).partial(),
  output: SubAccount,
  problems: [
    'COMPANY_NAME_EXISTS',
    'PERMISSION_REQUIRED',
    'SUBACCOUNT_NOT_FOUND',
    'TIME_ZONE_INVALID',
    'COUNTRY_INVALID',
  ],
});
/** Fails with ACCOUNT_CLOSE_NOT_ALLOWED while the sub-account has a balance or messages in progress. */
export const removeSubAccount = endpoint({
  id: 'subaccounts.remove',
  method: 'DELETE',
  path: '/v1/accounts/self/subaccounts/{id}',
  summary: 'Close a sub-account. Requires re-authentication with the password and a second factor',
  needs: 'ACCOUNTS:delete',
  audience: 'person',
  params: idParams('SUBACCOUNT_NOT_FOUND'),
  body: z.object(reauthentication),
  status: 204,
  output: z.null(),
  problems: ['SIGN_IN_ATTEMPTS_EXCEEDED', 'PROOF_REQUIRED', 'SUBACCOUNT_NOT_FOUND', 'ACCOUNT_CLOSE_NOT_ALLOWED'],
});
