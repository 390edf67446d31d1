/** The balance and the ledger. Amounts are integer micro-units of the account's currency. */
import { z } from 'zod';
import { CHANNELS } from '../channels/names.ts';
import { currency, idParams, listQuery, micros, timestamp, timestampFilter, uuid, wordList } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';

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

export const balanceChanged = event({
  id: 'balance.changed',
  modules: ['balances', 'ledger'],
  needs: 'PAYMENTS:view',
  payload: Balance,
});
