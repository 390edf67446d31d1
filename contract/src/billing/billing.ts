/** Money: balance, ledger, rates. Amounts are integer micro-units of the account's currency. */
import { z } from 'zod';
import { CHANNELS } from '../channels/names.ts';
import {
  currency,
  filterWord,
  idParams,
  listQuery,
  micros,
  search,
  timestamp,
  timestampFilter,
  uuid,
  wordList,
} from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { PURPOSES } from '../messages/content.ts';
import { VolumeStep } from './volume_steps.ts';

export const Balance = z.object({
  id: z.string(),
  account_id: z.string(),
  /** The spendable amount in currency units. */
  balance: z.number(),
  /** Funds paid in but still under review, so they cannot be spent. Shown as frozen. */
  pending_balance: z.number(),
  currency,
  configuration: z.object({ credit_limit: z.number() }),
  available_micros: micros,
  /** The amount held for messages on their way to recipients. */
  held_micros: micros,
  frozen_micros: micros,
});
export type Balance = z.output<typeof Balance>;

/**
 * `resettle` charges for a message whose hold was released before proof of delivery arrived. `payment_release` ends the
 * review of a payment, and `dispute` returns a payment that the bank took back.
 */
const LEDGER_KINDS = [
  'top_up',
  'bonus',
  'compensation',
  'hold',
  'settle',
  'release',
  'resettle',
  'refund',
  'charge',
  'payment_release',
  'payment_refund',
  'dispute',
  'dispute_won',
  'correction',
  'transfer_in',
  'transfer_out',
] as const;
export const LedgerEntry = z.object({
  id: z.string(),
  account_id: z.string(),
  kind: z.enum(LEDGER_KINDS),
  debit: z.string(),
  credit: z.string(),
  amount_micros: micros,
  message_count: z.int(),
  campaign_id: z.string().nullable(),
  /** The channel of the campaign. */
  campaign_channel: z.enum(CHANNELS).nullable(),
  /** All entries with the same hold belong to the messages of one call. */
  hold_id: z.string().nullable(),
  /** The message, if the entry is about a single one. */
  message_id: z.string().nullable(),
  payment_id: z.string().nullable(),
  /** The sender of the number, for entries that charge for a number. */
  sender_id: z.string().nullable(),
  /** True for carrier lookups. */
  is_lookup: z.boolean(),
  /** The position of the message in the volume of its month, if its destination has volume prices. */
  volume: z
    .object({
      month: z.string(),
      channel: z.enum(CHANNELS),
      first_unit: z.int(),
      last_unit: z.int(),
      /** The step that priced the last unit. 0: the price of the price list. */
      above_units: z.int(),
    })
    .nullable(),
  available_after_micros: micros,
  held_after_micros: micros,
  note: z.string(),
  create_date: timestamp,
});
export type LedgerEntry = z.output<typeof LedgerEntry>;

export const Rate = z.object({
  id: z.string(),
  channel: z.string(),
  country: z.string(),
  mccmnc: z.string().nullable(),
  network: z.string().nullable(),
  /** The purpose, if the channel charges by purpose. Null for all purposes without their own price. */
  purpose: z.enum(PURPOSES).nullable(),
  price_micros: micros,
  currency,
  /** True if the account has a custom price instead of the standard price. */
  custom: z.boolean(),
  /**
   * The time at which this price took effect for the account. Null if the price is older than the history of prices.
   */
  since: timestamp.nullable(),
  /** The account's price before `since`. Null if there was none for this destination, or it is unknown. */
  previous_micros: micros.nullable(),
  /** The announced price from `next_date` on. Null if no change is announced, or the price is removed then. */
  next_micros: micros.nullable(),
  /** When the next announced change of this price takes effect. Null if none is announced. */
  next_date: timestamp.nullable(),
  /** Lower prices for the units of a calendar month (UTC) above a number, in the order of the units. */
  steps: z.array(VolumeStep),
  /** The units that count this month, for prices with steps. Messages that cost nothing do not count. */
  month_units: z.int().nullable(),
  /** The steps from `next_steps_month` on. Null if no change is planned. */
  next_steps: z.array(VolumeStep).nullable(),
  /** The month in which the steps change, such as `2027-01`. Null if no change is planned. */
  next_steps_month: z.string().nullable(),
});
export type Rate = z.output<typeof Rate>;

export const getBalance = endpoint({
  id: 'balances.get',
  method: 'GET',
  path: '/v1/balances/{id}',
  summary: 'Get the account’s balance',
  needs: 'PAYMENTS:view',
  params: idParams('BALANCE_NOT_FOUND'),
  output: Balance,
  problems: ['BALANCE_NOT_FOUND'],
});

/** A fixed path for users, where older clients look for the balance. */
export const getOwnBalance = endpoint({
  id: 'balances.get_own',
  method: 'GET',
  path: '/v1/payments/balance',
  summary: 'Get the balance of the signed-in user’s account',
  needs: 'PAYMENTS:view',
  audience: 'session',
  output: Balance,
  problems: [],
});

export const listLedger = endpoint({
  id: 'ledger.list',
  method: 'GET',
  path: '/v1/ledger',
  summary: 'List ledger entries, newest first, each with the resulting balance',
  needs: 'PAYMENTS:view',
  query: listQuery({
    kinds: wordList(LEDGER_KINDS),
    campaign_id: uuid(),
    from: timestampFilter('start'),
    to: timestampFilter('end'),
  }),
  list: true,
  output: LedgerEntry,
  problems: ['VALUE_INVALID'],
});

const rateFilter = { channel: filterWord(CHANNELS, 'VALUE_INVALID'), country: search };
const rateMode = z
  .enum(['ACCOUNT'])
  .optional()
  .meta({ description: '`ACCOUNT` lists only the prices of your account, without standard prices.' });

export const listRates = endpoint({
  id: 'rates.list',
  method: 'GET',
  path: '/v1/rates',
  summary: 'List prices by country and network',
  needs: ['INVOICES:view', 'CAMPAIGNS:view'],
  query: listQuery(rateFilter).extend({ rate_mode: rateMode }),
  list: true,
  output: Rate,
  problems: [],
});

export const exportRates = endpoint({
  id: 'rates.export',
  method: 'GET',
  path: '/v1/export_rates',
  summary: 'Download the prices by country and network, as CSV or XLSX',
  needs: ['INVOICES:view', 'CAMPAIGNS:view'],
  query: z.object({
    format: z.enum(['csv', 'xlsx']).optional(),
    rate_mode: rateMode,
    /** Exports the prices in force at this time. Future times include announced changes. */
    date: timestampFilter('end').optional(),
    filter: z.object(rateFilter).partial().optional(),
  }),
  raw: 'application/octet-stream',
  output: z.null(),
  problems: ['VALUE_INVALID', 'RATES_UNKNOWN'],
});

export const balanceChanged = event({
  id: 'balance.changed',
  modules: ['balances', 'ledger'],
  needs: 'PAYMENTS:view',
  payload: Balance,
});
