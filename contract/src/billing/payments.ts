/** Payments into the balance: by card, by bank transfer, or booked by operators. */
import { z } from 'zod';
import { currency, idParams, listQuery, micros, problem, timestamp, uuid, wordList } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { MAXIMUM_TOP_UP } from './amounts.ts';
import { PAYMENT_STATUSES } from './payment_statuses.ts';

export const PAYMENT_TYPES = [
  'Paypal',
  'Credit Card',
  'Auto Top Up',
  'Bonus',
  'Bank Transfer',
  'Free Test',
  'Compensation',
] as const;

export const Payment = z.object({
  id: z.string(),
  account_id: z.string(),
  type: z.enum(PAYMENT_TYPES),
  status: z.enum(PAYMENT_STATUSES),
  currency,
  /** The amount for the balance, without tax. */
  amount_micros: micros,
  tax_micros: micros,
  /** The part of the amount that was returned or deducted later. */
  returned_micros: micros,
  dispute: z.enum(['open', 'won', 'lost']).nullable(),
  brand: z.string(),
  last4: z.string(),
  /** For bank transfers: the text that the customer enters as the purpose. */
  reference: z.string().nullable(),
  failure: z.string().nullable(),
  note: z.string(),
  create_date: timestamp,
  paid_date: timestamp.nullable(),
});
export type Payment = z.output<typeof Payment>;

/** An amount in micro-units, in whole cents. */
export const paymentAmount = z
  .int({ error: problem('PAYMENT_AMOUNT_INVALID') })
  .min(10_000, { error: problem('PAYMENT_AMOUNT_INVALID') })
  .max(MAXIMUM_TOP_UP, { error: problem('PAYMENT_AMOUNT_INVALID') })
  .multipleOf(10_000, { error: problem('PAYMENT_AMOUNT_INVALID') });

export const PaymentIntent = z.object({
  /** The ID of the payment. */
  id: z.string(),
  type: z.enum(PAYMENT_TYPES),
  amount_micros: micros,
  tax_micros: micros,
  tax_rate: z.number(),
  reverse_charge: z.boolean(),
  currency,
  /** Lets the browser confirm the payment with the payment provider. Null for bank transfers. */
  client_secret: z.string().nullable(),
  /** The saved card at the payment provider, if one was chosen. */
  provider_method_id: z.string().nullable(),
  reference: z.string().nullable(),
  bank_details: z.string().nullable(),
});
export type PaymentIntent = z.output<typeof PaymentIntent>;

/** Moves no money: the browser confirms card payments, and operators confirm bank transfers. */
export const createPaymentIntent = endpoint({
  id: 'payment_intents.create',
  method: 'POST',
  path: '/v1/payment_intents',
  summary: 'Start a payment that adds funds, by card or bank transfer',
  needs: 'PAYMENTS:add',
  uncounted_spend: true,
  audience: 'session',
  body: z.object({
    amount_micros: paymentAmount,
    type: z.enum(['Credit Card', 'Bank Transfer']).default('Credit Card'),
    /** A saved card. Without it, the customer enters a card in the browser. */
    payment_method_id: uuid('PAYMENT_METHOD_NOT_FOUND').optional(),
    /** True if the card is saved for later payments. */
    save_card: z.boolean().default(false),
  }),
  status: 201,
  idempotent: true,
  output: PaymentIntent,
  problems: ['PAYMENTS_OFF', 'PAYMENT_AMOUNT_INVALID', 'PAYMENT_METHOD_NOT_FOUND', 'PAYMENT_PROVIDER_FAILED'],
});

/** Idempotent: a payment is credited once, however often it is reported. */
export const createPayment = endpoint({
  id: 'payments.create',
  method: 'POST',
  path: '/v1/payments',
  summary: 'Report that the browser has confirmed a payment, and credit it once the provider has the money',
  needs: 'PAYMENTS:add',
  uncounted_spend: true,
  audience: 'session',
  body: z.object({ payment_intent: uuid('PAYMENT_NOT_FOUND') }),
  status: 201,
  idempotent: true,
  output: Payment,
  problems: ['PAYMENTS_OFF', 'PAYMENT_NOT_FOUND', 'PAYMENT_PROVIDER_FAILED'],
});

export const listPayments = endpoint({
  id: 'payments.list',
  method: 'GET',
  path: '/v1/payments',
  summary: 'List payments, newest first. Card payments appear once the provider has received the money',
  needs: 'PAYMENTS:view',
  query: listQuery({
    statuses: wordList(['PENDING', 'PAID', 'FROZEN', 'REFUNDED', 'PARTIALLY_REFUNDED'] as const),
    types: wordList(PAYMENT_TYPES),
  }),
  list: true,
  output: Payment,
  problems: ['VALUE_INVALID'],
});

export const getPayment = endpoint({
  id: 'payments.get',
  method: 'GET',
  path: '/v1/payments/{id}',
  summary: 'Get a payment',
  needs: 'PAYMENTS:view',
  params: idParams('PAYMENT_NOT_FOUND'),
  output: Payment,
  problems: ['PAYMENT_NOT_FOUND'],
});

export const paymentChanged = event({
  id: 'payment.changed',
  modules: ['payments', 'invoices'],
  needs: 'PAYMENTS:view',
  payload: Payment,
});

export const PaymentSettings = z.object({
  /** False if this system takes no cards. */
  cards: z.boolean(),
  publishable_key: z.string().nullable(),
  /** The payment provider’s script, which shows the card form. */
  script_url: z.string().nullable(),
  minimum_micros: micros,
  suggested_micros: micros,
  currency,
  /** In percent. */
  tax_rate: z.number(),
  reverse_charge: z.boolean(),
  saves_cards: z.boolean(),
  sends_receipts: z.boolean(),
  /** True if the account gets its statement by email at the end of each month. */
  sends_statements: z.boolean(),
  /** True for one invoice per month, after it has ended; false for one per payment. */
  monthly_invoices: z.boolean(),
});
export type PaymentSettings = z.output<typeof PaymentSettings>;

export const getPaymentSettings = endpoint({
  id: 'payment_settings.get',
  method: 'GET',
  path: '/v1/transaction/stripe-settings',
  summary: 'Get the settings for card payments',
  needs: 'PAYMENTS:view',
  audience: 'session',
  output: PaymentSettings,
  problems: [],
});
export const updatePaymentSettings = endpoint({
  id: 'payment_settings.update',
  method: 'PUT',
  path: '/v1/transaction/stripe-settings',
  summary: 'Change whether cards are saved, and whether receipts and statements are sent by email',
  needs: 'PAYMENTS:edit',
  audience: 'session',
  body: z
    .object({
      ...{ saves_cards: z.boolean(), sends_receipts: z.boolean(), sends_statements: z.boolean() },
      /** When this is turned off, the payments without an invoice get one immediately. */
      monthly_invoices: z.boolean(),
    })
    .partial(),
  output: PaymentSettings,
  problems: [],
});
