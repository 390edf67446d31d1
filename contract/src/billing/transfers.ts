/** Money that a company moves between its own balance and the balances of its sub-accounts. */
import { z } from 'zod';
import { idParams, micros } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { paymentAmount } from './payments.ts';

export const Transfer = z.object({
  id: z.string(),
  account_id: z.string(),
  sub_account_id: z.string(),
  direction: z.enum(['to', 'from']),
  amount_micros: micros,
  /** The balances after the transfer. */
  available_micros: micros,
  sub_account_available_micros: micros,
});
export type Transfer = z.output<typeof Transfer>;

export const createTransfer = endpoint({
  id: 'transfers.create',
  method: 'POST',
  path: '/v1/accounts/self/subaccounts/{id}/transfers',
  summary: 'Move money to or from a sub-account',
  needs: 'PAYMENTS:add',
  uncounted_spend: true,
  audience: 'session',
  params: idParams('SUBACCOUNT_NOT_FOUND'),
  body: z.object({ direction: z.enum(['to', 'from']), amount_micros: paymentAmount }),
  status: 201,
  idempotent: true,
  output: Transfer,
  problems: ['SUBACCOUNT_NOT_FOUND', 'BALANCE_NOT_ENOUGH', 'PAYMENT_AMOUNT_INVALID'],
});
