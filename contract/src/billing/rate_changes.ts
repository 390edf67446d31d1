/** The history of an account's prices. */
import { z } from 'zod';
import { CHANNELS } from '../channels/names.ts';
import { country, filterWord, listQuery, micros, search, timestamp, timestampFilter } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { Rate } from './rates.ts';

/** A change to a price that applied to the account. */
export const RateChange = Rate.omit({
  ...{ price_micros: true, custom: true, since: true, previous_micros: true },
  ...{ next_micros: true, next_date: true },
  ...{ steps: true, month_units: true, next_steps: true, next_steps_month: true },
}).extend({
  /** Null if there was no price for this destination. Another price may have applied, such as the country's price. */
  before_micros: micros.nullable(),
  /** Null if there has been no price for this destination since. */
  after_micros: micros.nullable(),
  /** True if the account's custom price changed, and false if the standard price did. */
  custom: z.boolean(),
  /** The time from which accepted messages cost the new price. */
  create_date: timestamp,
});
export type RateChange = z.output<typeof RateChange>;

export const listRateChanges = endpoint({
  id: 'rates.list_changes',
  method: 'GET',
  path: '/v1/rate_changes',
  summary: 'List changes to your prices, newest first. A standard price is left out while a custom price applies',
  needs: ['INVOICES:view', 'CAMPAIGNS:view'],
  query: listQuery({
    channel: filterWord(CHANNELS, 'VALUE_INVALID'),
    country: country(),
    /** The MCC and MNC, or a part of the name. */
    network: search,
    from: timestampFilter('start'),
    to: timestampFilter('end'),
  }),
  list: true,
  output: RateChange,
  problems: ['COUNTRY_CODE_INVALID', 'VALUE_INVALID'],
});
