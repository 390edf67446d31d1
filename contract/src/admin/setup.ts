/** The setup of an installation: currencies, the verification code sender, and the setup checklist. */
import { z } from 'zod';
import { currency, micros, uuid } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { type StatusWord, statusWord } from '../status.ts';

export const Currency = z.object({
  code: currency,
  /** True if new accounts can use the currency. Existing accounts keep theirs. */
  enabled: z.boolean(),
  /** Used if the currency of a new customer's country is not offered or has no prices. */
  is_default: z.boolean(),
  prices_count: z.int(),
  accounts_count: z.int(),
});
export type Currency = z.output<typeof Currency>;

export const listCurrencies = endpoint({
  id: 'currencies.list',
  method: 'GET',
  path: '/v1/currencies',
  summary: 'List the currencies and whether new accounts can use them',
  needs: 'INVOICES:view',
  audience: 'operator',
  output: z.array(Currency),
  problems: ['OPERATOR_ONLY'],
});

export const updateCurrency = endpoint({
  id: 'currencies.update',
  method: 'PUT',
  path: '/v1/currencies/{code}',
  summary: 'Offer a currency to new accounts, stop offering it, or make it the default',
  needs: 'INVOICES:edit',
  audience: 'operator',
  params: z.object({ code: currency }),
  body: z.object({ enabled: z.boolean().optional(), is_default: z.literal(true).optional() }),
  output: z.array(Currency),
  problems: ['OPERATOR_ONLY', 'CURRENCY_DEFAULT_REQUIRED'],
});

const CodeSenderChoice = z.object({
  id: z.string(),
  name: z.string(),
  code: z.string(),
  type: z.string(),
  status: z.string(),
  usable: z.boolean(),
});
export type CodeSenderChoice = z.output<typeof CodeSenderChoice>;

export const CodeSender = z.object({
  /** The operators' account, which owns the senders and pays for the codes. */
  account_id: z.string(),
  /** The sender that codes are sent from. Null if no sender is usable, so that no codes are sent. */
  sender_id: z.string().nullable(),
  /** The sender that an operator chose. Null means the oldest usable sender. */
  chosen_id: z.string().nullable(),
  senders: z.array(CodeSenderChoice),
  currency,
  /** How much the account can spend on codes, including its credit limit. */
  spendable_micros: micros,
});
export type CodeSender = z.output<typeof CodeSender>;

export const getCodeSender = endpoint({
  id: 'code_sender.get',
  method: 'GET',
  path: '/v1/code_sender',
  summary: 'Get the sender that verification codes are sent from',
  needs: 'SENDERS:view',
  audience: 'operator',
  output: CodeSender,
  problems: ['OPERATOR_ONLY'],
});

export const updateCodeSender = endpoint({
  id: 'code_sender.update',
  method: 'PUT',
  path: '/v1/code_sender',
  summary: 'Choose the sender that verification codes are sent from',
  needs: 'SENDERS:edit',
  audience: 'operator',
  body: z.object({ sender_id: uuid('SENDER_NOT_FOUND') }),
  output: CodeSender,
  problems: ['OPERATOR_ONLY', 'SENDER_NOT_FOUND', 'CODE_SENDER_NOT_USABLE'],
});

/** The setup steps of an installation, in the order in which an operator completes them. */
export const SETUP_STEPS = [
  'operator',
  'address',
  'mail',
  'currency',
  'networks',
  'prices',
  'connection',
  'route',
  'code_sender',
] as const;
export type SetupStep = (typeof SETUP_STEPS)[number];

/** `attention`: it exists, but does not work at the moment, or is not safe. */
const STEP_STATES = ['done', 'attention', 'missing'] as const;

export const STEP_STATUS: Readonly<Record<(typeof STEP_STATES)[number], StatusWord>> = {
  done: statusWord('Done', 'ok', 'check'),
  attention: statusWord('Check', 'wait', 'alert'),
  missing: statusWord('Missing', 'fail', 'dashed'),
};

export const Setup = z.object({
  complete: z.boolean(),
  steps: z.array(
    z.object({
      name: z.enum(SETUP_STEPS),
      status: z.enum(STEP_STATES),
      detail: z.string(),
    }),
  ),
});
export type Setup = z.output<typeof Setup>;

export const getSetup = endpoint({
  id: 'setup.get',
  method: 'GET',
  path: '/v1/setup',
  summary: 'Get the setup steps left before customers can use this installation',
  needs: 'ACCOUNTS:view',
  audience: 'operator',
  unattended: true,
  output: Setup,
  problems: ['OPERATOR_ONLY'],
});

/** A setting of the installation has changed. Sent to the operators' account. */
export const setupChanged = event({
  id: 'setup.changed',
  modules: ['setup', 'currencies', 'code_sender'],
  needs: 'ACCOUNTS:view',
  payload: z.object({ step: z.enum(SETUP_STEPS) }),
});
