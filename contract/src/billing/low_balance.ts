/** The actions when the balance is low: automatic top-ups and credit alerts. */
import { z } from 'zod';
import { email } from '../auth/sign_up.ts';
import { idParams, micros, problem, timestamp, uuid } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { paymentAmount } from './payments.ts';

/** Why automatic top-up has stopped. `unusual_spending`: an anomaly alert about spending was active. */
export const STOP_REASONS = ['card_refused', 'card_deleted', 'unusual_spending'] as const;

export const AutoTopUp = z.object({
  enabled: z.boolean(),
  /** A top-up starts when the balance falls below this amount. */
  threshold_micros: micros,
  amount_micros: micros,
  /** Each top-up raises the balance to this amount. Null: each top-up has the same amount. */
  target_micros: micros.nullable(),
  payment_method_id: z.string().nullable(),
  /** The maximum number of top-ups per day, in UTC. */
  daily_limit: z.int(),
  /** The maximum amount per month, in UTC. */
  monthly_limit_micros: micros,
  stop_reason: z.enum(STOP_REASONS).nullable(),
  /** No top-up starts before this time, because of a limit or the pause after a top-up. */
  next_date: timestamp.nullable(),
});
export type AutoTopUp = z.output<typeof AutoTopUp>;

export const getAutoTopUp = endpoint({
  id: 'auto_top_up.get',
  method: 'GET',
  path: '/v1/balances/{id}/auto_top_up',
  summary: 'Get the auto top-up settings',
  needs: 'PAYMENTS:view',
  audience: 'session',
  params: idParams('BALANCE_NOT_FOUND'),
  output: AutoTopUp,
  problems: ['BALANCE_NOT_FOUND'],
});

/** Saving the settings also starts automatic top-up again after it has stopped. */
export const updateAutoTopUp = endpoint({
  id: 'auto_top_up.update',
  method: 'PUT',
  path: '/v1/balances/{id}',
  summary: 'Turn auto top-up on or off, and set its limits',
  needs: 'PAYMENTS:edit',
  audience: 'session',
  params: idParams('BALANCE_NOT_FOUND'),
  body: z.object({
    enabled: z.boolean(),
    threshold_micros: z
      .int({ error: problem('PAYMENT_AMOUNT_INVALID') })
      .min(0, { error: problem('PAYMENT_AMOUNT_INVALID') })
      .max(1_000_000_000_000, { error: problem('PAYMENT_AMOUNT_INVALID') }),
    amount_micros: paymentAmount,
    /** Raises the balance to this amount, by at least the minimum amount. `amount_micros` is not used then. */
    target_micros: paymentAmount.nullable().default(null),
    payment_method_id: uuid('PAYMENT_METHOD_NOT_FOUND'),
    daily_limit: z.int().min(1).max(20).default(3),
    monthly_limit_micros: paymentAmount,
  }),
  output: AutoTopUp,
  problems: ['BALANCE_NOT_FOUND', 'PAYMENT_METHOD_NOT_FOUND', 'PAYMENT_AMOUNT_INVALID', 'AUTO_TOP_UP_LIMIT_TOO_LOW'],
});

export const autoTopUpChanged = event({
  id: 'auto_top_up.changed',
  modules: ['auto_top_up'],
  needs: 'PAYMENTS:view',
  payload: z.object({ id: z.string() }),
});

const MAX_THRESHOLDS = 5;
const MAX_EMAILS = 10;
const MAX_PHONES = 10;

export const CreditAlert = z.object({
  id: z.string(),
  account_id: z.string(),
  enabled: z.boolean(),
  /** An alert is sent when the balance falls below one of these amounts. */
  thresholds_micros: z.array(micros),
  emails: z.array(z.string()),
  /** Users who also get a text message, at most one per hour. */
  phone_user_ids: z.array(z.string()),
  /** Users with a confirmed phone number, who can get text messages. */
  phone_users: z.array(
    z.object({
      id: z.string(),
      full_name: z.string(),
      /** The last four digits of the number. */
      phone_ending: z.string(),
    }),
  ),
});
export type CreditAlert = z.output<typeof CreditAlert>;

export const getCreditAlert = endpoint({
  id: 'alerts.get',
  method: 'GET',
  path: '/v1/alerts/{id}',
  summary: 'Get the credit alert. Its ID is the ID of the account',
  needs: 'ALERTS:view',
  params: idParams('BALANCE_NOT_FOUND'),
  output: CreditAlert,
  problems: ['BALANCE_NOT_FOUND'],
});

export const saveCreditAlert = endpoint({
  id: 'alerts.save',
  method: 'POST',
  path: '/v1/alerts/{id}',
  summary: 'Save the credit alert: amounts, email addresses, and users who get text messages',
  needs: 'ALERTS:edit',
  params: idParams('BALANCE_NOT_FOUND'),
  body: z.object({
    enabled: z.boolean(),
    thresholds_micros: z
      .array(z.int().min(0).max(1_000_000_000_000))
      .min(1, { error: problem('ALERT_THRESHOLD_REQUIRED') })
      .max(MAX_THRESHOLDS),
    emails: z
      .array(email)
      .min(1, { error: problem('ALERT_EMAIL_REQUIRED') })
      .max(MAX_EMAILS),
    /** If omitted, the users do not change. */
    phone_user_ids: z.array(uuid('ALERT_USER_INVALID')).max(MAX_PHONES).optional(),
  }),
  output: CreditAlert,
  problems: [
    'BALANCE_NOT_FOUND',
    'ALERT_THRESHOLD_REQUIRED',
    'ALERT_EMAIL_REQUIRED',
    'EMAIL_INVALID',
    'ALERT_USER_INVALID',
  ],
});
