/** Payments as operators see them: those in review, expected bank transfers, refunds, and corrections. */
import { z } from 'zod';
import { LedgerEntry } from '../billing/billing.ts';
import { Payment, paymentAmount } from '../billing/payments.ts';
import { idParams, listQuery, problem, uuid, wordList } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';

export const CustomerPayment = Payment.extend({ company_name: z.string() });
export type CustomerPayment = z.output<typeof CustomerPayment>;

const paymentParams = z.object({ id: uuid('ACCOUNT_NOT_FOUND'), payment_id: uuid('PAYMENT_NOT_FOUND') });

export const listCustomerPayments = endpoint({
  id: 'customer_payments.list',
  method: 'GET',
  path: '/v1/customer_payments',
  summary: 'List payments that need an operator’s decision, or those of an account that can be refunded',
  needs: 'PAYMENTS:view',
  audience: 'operator',
  query: listQuery({
    /**
     * By default, the payments that are in review, expected by bank transfer, or disputed. `refundable` needs an
     * account, and lists its newest payments first.
     */
    states: wordList(['review', 'expected', 'disputed', 'refundable'] as const),
    account_id: uuid(),
  }),
  list: true,
  output: CustomerPayment,
  problems: ['OPERATOR_ONLY', 'VALUE_INVALID'],
});

export const releasePayment = endpoint({
  id: 'customer_payments.release',
  method: 'POST',
  path: '/v1/accounts/{id}/payments/{payment_id}/release',
  summary: 'End the review of a payment: its amount can be spent, and its card is trusted from now on',
  needs: 'PAYMENTS:edit',
  audience: 'operator',
  params: paymentParams,
  output: CustomerPayment,
  problems: ['PAYMENT_NOT_FOUND', 'OPERATOR_ONLY', 'PAYMENT_NOT_IN_REVIEW'],
});

/** The provider’s response decides: the balance changes when the provider has accepted the refund. */
export const refundPayment = endpoint({
  id: 'customer_payments.refund',
  method: 'POST',
  path: '/v1/accounts/{id}/payments/{payment_id}/refund',
  summary: 'Refund a card payment, in full or in part',
  needs: 'PAYMENTS:edit',
  audience: 'operator',
  params: paymentParams,
  body: z.object({
    /** The amount to return, without tax. Defaults to the entire remaining amount. */
    amount_micros: paymentAmount.optional(),
    reason: z.string().trim().min(3).max(200),
  }),
  idempotent: true,
  output: CustomerPayment,
  problems: [
    'PAYMENT_NOT_FOUND',
    'OPERATOR_ONLY',
    'PAYMENTS_OFF',
    'PAYMENT_NOT_REFUNDABLE',
    'PAYMENT_AMOUNT_INVALID',
    'PAYMENT_PROVIDER_FAILED',
    'BALANCE_NOT_ENOUGH',
    'SECOND_OPERATOR_REQUIRED',
  ],
});

export const confirmTransfer = endpoint({
  id: 'customer_payments.confirm',
  method: 'POST',
  path: '/v1/accounts/{id}/payments/{payment_id}/confirm',
  summary: 'Confirm that a bank transfer has arrived, and credit it',
  needs: 'PAYMENTS:add',
  audience: 'operator',
  params: paymentParams,
  idempotent: true,
  output: CustomerPayment,
  problems: ['PAYMENT_NOT_FOUND', 'OPERATOR_ONLY', 'PAYMENT_NOT_IN_REVIEW', 'SECOND_OPERATOR_REQUIRED'],
});

export const correctBalance = endpoint({
  id: 'customer_payments.correct',
  method: 'POST',
  path: '/v1/accounts/{id}/corrections',
  summary: 'Deduct money from an account’s balance to correct a mistake. Repeating a reference has no effect',
  needs: 'PAYMENTS:edit',
  audience: 'operator',
  params: idParams('ACCOUNT_NOT_FOUND'),
  body: z.object({
    amount_micros: z
      .int()
      .min(1, { error: problem('TOP_UP_AMOUNT_INVALID') })
      .max(1_000_000_000_000, { error: problem('TOP_UP_AMOUNT_INVALID') }),
    reason: z.string().trim().min(3).max(200),
    reference: z.string().trim().min(1).max(80),
  }),
  status: 201,
  idempotent: true,
  output: LedgerEntry,
  problems: [
    'ACCOUNT_NOT_FOUND',
    'OPERATOR_ONLY',
    'TOP_UP_REFERENCE_USED',
    'TOP_UP_AMOUNT_INVALID',
    'BALANCE_NOT_ENOUGH',
    'SECOND_OPERATOR_REQUIRED',
  ],
});

export const customerPaymentChanged = event({
  id: 'customer_payment.changed',
  modules: ['customer_payments'],
  needs: 'PAYMENTS:view',
  payload: z.object({ id: z.string() }),
});
