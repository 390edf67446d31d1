/** The limits that operators set for the SMPP accounts of a company. */
import { z } from 'zod';
import { idParams, problem } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { MAX_SMPP_ACCOUNTS, SMPP_THROUGHPUT } from './smpp.ts';

/** The maximum number of sessions that can be allowed for all of a company's SMPP accounts. */
export const MAX_COMPANY_BINDS = 1_000;

/** Null if the installation's limit applies. */
export const SmppCaps = z.object({
  account_id: z.string(),
  max_accounts: z.int().nullable(),
  /** The maximum number of bound sessions across all of the company's SMPP accounts. */
  max_binds: z.int().nullable(),
  /** Submits per second across all of the company's SMPP accounts. */
  throughput: z.int().nullable(),
  /** The company's current usage. */
  accounts_count: z.int(),
  bound_count: z.int(),
});
export type SmppCaps = z.output<typeof SmppCaps>;

const params = idParams('ACCOUNT_NOT_FOUND');

const cap = (code: Parameters<typeof problem>[0], { min, max }: { min: number; max: number }, description: string) =>
  z
    .int({ error: problem(code) })
    .min(min, { error: problem(code) })
    .max(max, { error: problem(code) })
    .nullable()
    .optional()
    .meta({ description });

export const getSmppCaps = endpoint({
  id: 'smpp_caps.get',
  method: 'GET',
  path: '/v1/accounts/{id}/smpp_caps',
  summary: 'Get the limits of a company’s SMPP accounts',
  needs: 'ACCOUNTS:view',
  audience: 'operator',
  params,
  output: SmppCaps,
  problems: ['ACCOUNT_NOT_FOUND', 'OPERATOR_ONLY'],
});

export const updateSmppCaps = endpoint({
  id: 'smpp_caps.update',
  method: 'PUT',
  path: '/v1/accounts/{id}/smpp_caps',
  summary: 'Change the limits of a company’s SMPP accounts; sessions above a lower limit are unbound within seconds',
  needs: 'ACCOUNTS:edit',
  audience: 'operator',
  params,
  body: z.object({
    max_accounts: cap(
      'SMPP_CAP_ACCOUNTS_INVALID',
      { min: 0, max: MAX_SMPP_ACCOUNTS },
      'SMPP accounts. If the company has more, its newest ones cannot bind. Null means the limit of the installation.',
    ),
    max_binds: cap(
      'SMPP_CAP_BINDS_INVALID',
      { min: 0, max: MAX_COMPANY_BINDS },
      'Sessions across all its SMPP accounts. Null if only the limits of the accounts apply.',
    ),
    throughput: cap(
      'SMPP_THROUGHPUT_INVALID',
      SMPP_THROUGHPUT,
      'Submits per second across all its SMPP accounts. Null if only the limits of the accounts apply.',
    ),
  }),
  output: SmppCaps,
  problems: [
    'ACCOUNT_NOT_FOUND',
    'OPERATOR_ONLY',
    'ACCOUNT_CLOSED',
    'SMPP_CAP_ACCOUNTS_INVALID',
    'SMPP_CAP_BINDS_INVALID',
    'SMPP_THROUGHPUT_INVALID',
  ],
});
