/** The prices of an account by country and network. Amounts are integer micro-units of the account's currency. */
import { z } from 'zod';
import { CHANNELS } from '../channels/names.ts';
import { currency, filterWord, listQuery, micros, search, timestamp, timestampFilter } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { PURPOSES } from '../messages/content.ts';
import { VolumeStep } from './volume_steps.ts';

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
