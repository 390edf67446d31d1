/** Reminders about overdue balances, for operators: the steps, and the accounts that owe money. */
import { z } from 'zod';
import { currency, idParams, listQuery, micros, problem, timestamp, timestampInput } from '../common.ts';
import { endpoint } from '../endpoint.ts';

const MAX_STEPS = 6;
const DunningStep = z.object({
  /** Days after the balance became overdue. */
  days: z.int().min(0).max(365),
  subject: z.string().trim().min(1).max(200),
  /** The text of the email. */
  text: z.string().trim().min(1).max(2_000),
  /** True for the last step, if it pauses sending of accounts that owe money. */
  pauses: z.boolean(),
});
export type DunningStep = z.output<typeof DunningStep>;

export const DunningSettings = z.object({
  enabled: z.boolean(),
  steps: z
    .array(DunningStep)
    .min(1, { error: problem('DUNNING_STEPS_INVALID') })
    .max(MAX_STEPS, { error: problem('DUNNING_STEPS_INVALID') }),
});
export type DunningSettings = z.output<typeof DunningSettings>;

/** The steps until an operator changes them. */
export const DEFAULT_STEPS: DunningStep[] = [
  {
    days: 3,
    subject: 'Your balance is overdue',
    text: 'Add funds to settle the amount. If you have paid in the meantime, ignore this email.',
    pauses: false,
  },
  {
    days: 10,
    subject: 'Second reminder: your balance is overdue',
    text: 'Add funds now to keep sending.',
    pauses: false,
  },
  {
    days: 14,
    subject: 'Sending is paused',
    text: 'Your account cannot send messages until the amount is paid. Sending continues when the payment arrives.',
    pauses: true,
  },
];

export const OverdueAccount = z.object({
  account_id: z.string(),
  company_name: z.string(),
  currency,
  /** The amount that the account owes; 0 if only its auto top-up was refused. */
  owed_micros: micros,
  card_refused: z.boolean(),
  since: timestamp,
  /** The number of reminders that were sent. */
  step: z.int(),
  next_date: timestamp.nullable(),
  extend_date: timestamp.nullable(),
  pause_date: timestamp.nullable(),
  /** Null if the account gets reminders. */
  exempt_reason: z.string().nullable(),
});
export type OverdueAccount = z.output<typeof OverdueAccount>;

export const getDunningSettings = endpoint({
  id: 'dunning_settings.get',
  method: 'GET',
  path: '/v1/dunning_settings',
  summary: 'Get the reminders about overdue balances',
  needs: 'PAYMENTS:view',
  audience: 'operator',
  output: DunningSettings,
  problems: ['OPERATOR_ONLY'],
});

export const updateDunningSettings = endpoint({
  id: 'dunning_settings.update',
  method: 'PUT',
  path: '/v1/dunning_settings',
  summary: 'Change the reminders about overdue balances. Completed steps are not repeated',
  needs: 'PAYMENTS:edit',
  audience: 'operator',
  body: DunningSettings,
  output: DunningSettings,
  problems: ['OPERATOR_ONLY', 'DUNNING_STEPS_INVALID'],
});

export const listOverdueAccounts = endpoint({
  id: 'overdue_accounts.list',
  method: 'GET',
  path: '/v1/overdue_accounts',
  summary: 'List the accounts that owe money or whose auto top-up was refused, oldest first',
  needs: 'PAYMENTS:view',
  audience: 'operator',
  query: listQuery({}),
  list: true,
  output: OverdueAccount,
  problems: ['OPERATOR_ONLY'],
});

export const updateOverdueAccount = endpoint({
  id: 'overdue_accounts.update',
  method: 'PUT',
  path: '/v1/overdue_accounts/{id}',
  summary: 'Give an account more time, or exempt it from reminders and pauses',
  needs: 'PAYMENTS:edit',
  audience: 'operator',
  params: idParams('OVERDUE_ACCOUNT_NOT_FOUND'),
  body: z.object({
    /** No reminder is sent and sending is not paused until this time. Null means no extension. */
    extend_date: timestampInput('VALUE_INVALID').nullable(),
    exempt: z.boolean(),
    reason: z.string().trim().min(1).max(500),
  }),
  output: OverdueAccount,
  problems: ['OPERATOR_ONLY', 'OVERDUE_ACCOUNT_NOT_FOUND', 'VALUE_INVALID'],
});
