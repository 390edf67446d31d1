/** Companies of a company: a customer of its own, created and entered by its parent. */
import { z } from 'zod';
import { proof } from '../auth/proof.ts';
import { email } from '../auth/sign_up.ts';
import { companyName, country, currency, idParams, listQuery, plainName, search, timestamp } from '../common.ts';
import { endpoint } from '../endpoint.ts';

export const SubAccount = z.object({
  id: z.string(),
  company_name: z.string(),
  country_code: z.string(),
  currency,
  timezone: z.string(),
  status: z.string(),
  owner_user_id: z.string(),
  owner_email: z.string(),
  owner_name: z.string(),
  users_count: z.int(),
  create_date: timestamp,
});
export type SubAccount = z.output<typeof SubAccount>;
const sub_account = {
  company_name: companyName,
  country_code: country(1166),
  timezone: z.string().min(1).max(60),
};
export const listSubAccounts = endpoint({
  id: 'subaccounts.list',
  method: 'GET',
  path: '/v1/accounts/self/subaccounts',
  summary: 'Sub-accounts of the company',
  needs: 'ACCOUNTS:view',
  audience: 'session',
  query: listQuery({ search }),
  list: true,
  output: SubAccount,
  problems: [1136],
});
/** Verified like its parent; its owner is invited by mail. Money of its own comes by transfer. */
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
  problems: [1113, 1129, 1136, 1146, 1162, 1166],
});
export const updateSubAccount = endpoint({
  id: 'subaccounts.update',
  method: 'PUT',
  path: '/v1/accounts/self/subaccounts/{id}',
  summary: 'Change, block or unblock a sub-account',
  needs: 'ACCOUNTS:edit',
  audience: 'person',
  params: idParams(1153),
  body: z.object({ ...sub_account, blocked: z.boolean() }).partial(),
  output: SubAccount,
  problems: [1129, 1136, 1153, 1162, 1166],
});
/** Refused while it has money or messages on their way. */
export const removeSubAccount = endpoint({
  id: 'subaccounts.remove',
  method: 'DELETE',
  path: '/v1/accounts/self/subaccounts/{id}',
  summary: 'Close a sub-account. Asks for the password and a second factor, as far as the caller has them',
  needs: 'ACCOUNTS:delete',
  audience: 'person',
  params: idParams(1153),
  body: z.object(proof),
  status: 204,
  output: z.null(),
  problems: [1121, 1126, 1153, 1163],
});
