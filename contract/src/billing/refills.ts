/** Automatic refill of a sub-account from its parent company's balance. */
import { z } from 'zod';
import { idParams, micros, timestamp } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { paymentAmount } from './payments.ts';

export const Refill = z.object({
  sub_account_id: z.string(),
  enabled: z.boolean(),
  /** A refill starts when the sub-account's balance falls below this amount. */
  threshold_micros: micros,
  /** One refill moves this amount, or the smallest multiple of it that reaches the threshold. */
  amount_micros: micros,
  /** The maximum amount per day, in UTC. */
  daily_limit_micros: micros,
  /** The amount moved today. */
  today_micros: micros,
  /** `balance_short`: the parent's balance did not cover a refill. Saving the settings starts refills again. */
  stop_reason: z.enum(['balance_short']).nullable(),
  /** No refill starts before this time, because of the limit per day. */
  next_date: timestamp.nullable(),
});
export type Refill = z.output<typeof Refill>;

export const getRefill = endpoint({
  id: 'refills.get',
  method: 'GET',
  path: '/v1/accounts/self/subaccounts/{id}/refill',
  summary: 'Get the automatic refill of a sub-account',
  needs: 'PAYMENTS:view',
  audience: 'session',
  params: idParams('SUBACCOUNT_NOT_FOUND'),
  output: Refill,
  problems: ['SUBACCOUNT_NOT_FOUND'],
});

/** Saving the settings also starts refills again after they have stopped. */
export const updateRefill = endpoint({
  id: 'refills.update',
  method: 'PUT',
  path: '/v1/accounts/self/subaccounts/{id}/refill',
  summary: 'Refill a sub-account from your balance when its balance is low',
  needs: 'PAYMENTS:add',
  audience: 'session',
  params: idParams('SUBACCOUNT_NOT_FOUND'),
  body: z.object({
    enabled: z.boolean(),
    threshold_micros: paymentAmount,
    amount_micros: paymentAmount,
    daily_limit_micros: paymentAmount,
  }),
  output: Refill,
  problems: ['SUBACCOUNT_NOT_FOUND', 'PAYMENT_AMOUNT_INVALID', 'REFILL_LIMIT_TOO_LOW'],
});

/** Sent to the parent company. */
export const refillChanged = event({
  id: 'refill.changed',
  modules: ['refills', 'subaccounts'],
  needs: 'PAYMENTS:view',
  payload: z.object({ id: z.string() }),
});
