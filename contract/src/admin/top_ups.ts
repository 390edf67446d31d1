/** Manual top-ups: operators add money to an account. */
import { z } from 'zod';
import { LedgerEntry } from '../billing/billing.ts';
import { idParams, problem } from '../common.ts';
import { endpoint } from '../endpoint.ts';

/** `top_up`: the customer paid. `bonus` and `compensation`: the customer did not pay. */
export const TOP_UP_KINDS = ['top_up', 'bonus', 'compensation'] as const;

export const createTopUp = endpoint({
  id: 'customers.top_up',
  method: 'POST',
  path: '/v1/accounts/{id}/top_ups',
  summary: 'Add money to an account. Repeating a reference has no effect',
  needs: 'PAYMENTS:add',
  audience: 'operator',
  params: idParams('ACCOUNT_NOT_FOUND'),
  body: z.object({
    amount_micros: z
      .int()
      .min(1, { error: problem('TOP_UP_AMOUNT_INVALID') })
      .max(1_000_000_000_000, { error: problem('TOP_UP_AMOUNT_INVALID') }),
    kind: z.enum(TOP_UP_KINDS).default('top_up'),
    reason: z.string().trim().min(3).max(200),
    /** Identifies the payment, such as the invoice number. Each reference can be used once per account. */
    reference: z.string().trim().min(1).max(80),
  }),
  status: 201,
  idempotent: true,
  output: LedgerEntry,
  problems: [
    'ACCOUNT_NOT_FOUND',
    'OPERATOR_ONLY',
    'ACCOUNT_CLOSED',
    'TOP_UP_REFERENCE_USED',
    'TOP_UP_AMOUNT_INVALID',
    'SECOND_OPERATOR_REQUIRED',
  ],
});
