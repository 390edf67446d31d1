/** A company's overrides for one sub-account: the number of a limit, and countries in its lists. */
import { z } from 'zod';
import { country, idParams, problem, timestamp } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { Limit } from './limits.ts';

export const SubAccountLimit = Limit.pick({
  id: true,
  type: true,
  channels: true,
  countries: true,
  prefixes: true,
  limit: true,
  interval: true,
  block_traffic: true,
  sub_accounts: true,
}).extend({
  /** `limit` is the company's limit. Null if the sub-account inherits it. */
  override: z
    .object({
      /** Null if the limit does not apply to the sub-account. */
      limit: z.int().nullable(),
      update_date: timestamp,
    })
    .nullable(),
  /** The sub-account's count in the current interval. Null if it is counted together with the company. */
  used: z.int().nullable(),
});
export type SubAccountLimit = z.output<typeof SubAccountLimit>;

const subAccount = idParams('SUBACCOUNT_NOT_FOUND');
const subAccountLimit = subAccount.extend({ limit_id: z.uuid({ error: problem('LIMIT_ID_INVALID') }) });
const OVERRIDE_PROBLEMS = ['SUBACCOUNT_NOT_FOUND', 'LIMIT_ID_INVALID', 'LIMIT_NOT_FOUND', 'LIMIT_NOT_SHARED'] as const;
const invalidValue = { error: problem('LIMIT_VALUE_INVALID') };

export const listSubAccountLimits = endpoint({
  id: 'sub_account_limits.list',
  method: 'GET',
  path: '/v1/accounts/self/subaccounts/{id}/limits',
  summary: 'List the limits that a sub-account inherits, newest first',
  needs: 'SMS_LIMITS:view',
  audience: 'session',
  params: subAccount,
  output: z.array(SubAccountLimit),
  problems: ['SUBACCOUNT_NOT_FOUND'],
});

export const overrideLimit = endpoint({
  id: 'sub_account_limits.override',
  method: 'PUT',
  path: '/v1/accounts/self/subaccounts/{id}/limits/{limit_id}',
  summary: 'Override a limit for a sub-account, or turn it off. The sub-account then counts separately',
  needs: 'SMS_LIMITS:edit',
  audience: 'session',
  params: subAccountLimit,
  body: z.object({
    limit: z
      .int(invalidValue)
      .min(1, invalidValue)
      .max(1_000_000_000_000, invalidValue)
      .nullable()
      .meta({ description: 'Null: the limit does not apply to the sub-account.' }),
  }),
  output: SubAccountLimit,
  problems: [...OVERRIDE_PROBLEMS, 'LIMIT_VALUE_INVALID'],
});

export const resetLimit = endpoint({
  id: 'sub_account_limits.reset',
  method: 'DELETE',
  path: '/v1/accounts/self/subaccounts/{id}/limits/{limit_id}',
  summary: 'Reset a sub-account to the inherited limit',
  needs: 'SMS_LIMITS:edit',
  audience: 'session',
  params: subAccountLimit,
  status: 204,
  output: z.null(),
  problems: OVERRIDE_PROBLEMS,
});

export const CountryExceptions = z.object({
  sub_account_id: z.string(),
  /** Countries that the company’s lists do not block for the sub-account. */
  countries: z.array(z.string()),
  /** The countries that the company blocks for all sub-accounts. Null if it blocks none for them. */
  blocked: z.array(z.string()).nullable(),
  /** The countries to which the company limits all sub-accounts. Null if it does not limit them. */
  allowed: z.array(z.string()).nullable(),
  update_date: timestamp.nullable(),
});
export type CountryExceptions = z.output<typeof CountryExceptions>;

export const getCountryExceptions = endpoint({
  id: 'country_exceptions.get',
  method: 'GET',
  path: '/v1/accounts/self/subaccounts/{id}/country_exceptions',
  summary: 'Get the countries that a company’s lists do not block for a sub-account',
  needs: 'ACCOUNTS:view',
  audience: 'session',
  params: subAccount,
  output: CountryExceptions,
  problems: ['SUBACCOUNT_NOT_FOUND'],
});

export const saveCountryExceptions = endpoint({
  id: 'country_exceptions.save',
  method: 'PUT',
  path: '/v1/accounts/self/subaccounts/{id}/country_exceptions',
  summary:
    'Replace the countries that a company’s lists do not block for a sub-account. ' +
    'If empty, the sub-account inherits the lists',
  needs: 'ACCOUNTS:edit',
  audience: 'session',
  params: subAccount,
  body: z.object({
    countries: z.array(country()).max(300),
    acknowledges_risk: z.boolean().optional().meta({
      description: 'Must be true if the change lets messages through to more countries. The audit log records it.',
    }),
  }),
  output: CountryExceptions,
  problems: ['SUBACCOUNT_NOT_FOUND', 'COUNTRY_CODE_INVALID', 'COUNTRY_RISK_NOT_ACKNOWLEDGED'],
});
