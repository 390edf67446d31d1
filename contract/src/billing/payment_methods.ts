/**
 * Saved cards. The payment provider stores the card numbers; Parley stores only the details by which people recognize a
 * card.
 */
import { z } from 'zod';
import { idParams, timestamp } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';

export const PaymentMethod = z.object({
  id: z.string(),
  account_id: z.string(),
  brand: z.string(),
  last4: z.string(),
  exp_month: z.int(),
  exp_year: z.int(),
  is_default: z.boolean(),
  create_date: timestamp,
});
export type PaymentMethod = z.output<typeof PaymentMethod>;

/** Creates an object at the payment provider, but changes nothing here. */
export const getSetupIntent = endpoint({
  id: 'setup_intents.get',
  method: 'GET',
  path: '/v1/setup_intents',
  summary: 'Start saving a card: get the secret that the browser needs to send the card to the payment provider',
  needs: 'PAYMENTS:add',
  audience: 'session',
  output: z.object({ id: z.string(), client_secret: z.string() }),
  problems: ['PAYMENTS_OFF', 'PAYMENT_PROVIDER_FAILED'],
});

export const listPaymentMethods = endpoint({
  id: 'payment_methods.list',
  method: 'GET',
  path: '/v1/payment_methods',
  summary: 'List the saved cards',
  needs: 'PAYMENTS:view',
  audience: 'session',
  output: z.array(PaymentMethod),
  problems: [],
});

export const createPaymentMethod = endpoint({
  id: 'payment_methods.create',
  method: 'POST',
  path: '/v1/payment_methods',
  summary: 'Save the card from a setup intent that the browser has confirmed',
  needs: 'PAYMENTS:add',
  audience: 'session',
  body: z.object({ setup_intent: z.string().regex(/^seti_\w{1,100}$/) }),
  status: 201,
  output: PaymentMethod,
  problems: ['PAYMENTS_OFF', 'SETUP_INTENT_NOT_CONFIRMED', 'PAYMENT_PROVIDER_FAILED'],
});

export const updatePaymentMethod = endpoint({
  id: 'payment_methods.update',
  method: 'PUT',
  path: '/v1/payment_methods/{id}',
  summary: 'Make a saved card the default card',
  needs: 'PAYMENTS:edit',
  audience: 'session',
  params: idParams('PAYMENT_METHOD_NOT_FOUND'),
  body: z.object({ is_default: z.literal(true) }),
  output: PaymentMethod,
  problems: ['PAYMENT_METHOD_NOT_FOUND'],
});

/** Fails with PAYMENT_METHOD_IN_USE while automatic top-up uses the card. */
export const removePaymentMethod = endpoint({
  id: 'payment_methods.remove',
  method: 'DELETE',
  path: '/v1/payment_methods/{id}',
  summary: 'Delete a saved card',
  needs: 'PAYMENTS:delete',
  audience: 'session',
  params: idParams('PAYMENT_METHOD_NOT_FOUND'),
  status: 204,
  output: z.null(),
  problems: ['PAYMENT_METHOD_NOT_FOUND', 'PAYMENT_METHOD_IN_USE', 'PAYMENT_PROVIDER_FAILED'],
});

export const paymentMethodsChanged = event({
  id: 'payment_methods.changed',
  modules: ['payment_methods', 'auto_top_up'],
  needs: 'PAYMENTS:view',
  payload: z.object({ id: z.string() }),
});
