/** Price changes that have been announced to an account and take effect later. */
import { z } from 'zod';
import { micros, timestamp } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { Rate } from './rates.ts';

export const AnnouncedRate = Rate.pick({
  id: true,
  channel: true,
  country: true,
  mccmnc: true,
  network: true,
  purpose: true,
  currency: true,
}).extend({
  /** The current standard price. Null if there is none for this destination. */
  before_micros: micros.nullable(),
  /** The standard price from `effective_date` on. Null if it is removed. */
  after_micros: micros.nullable(),
  /** The time from which accepted messages cost this price. */
  effective_date: timestamp,
});
export type AnnouncedRate = z.output<typeof AnnouncedRate>;

export const listAnnouncedRates = endpoint({
  id: 'announced_rates.list',
  method: 'GET',
  path: '/v1/announced_rates',
  summary: 'List the announced changes to standard prices, earliest first, except where your custom prices apply',
  needs: ['INVOICES:view', 'CAMPAIGNS:view'],
  query: z.object({}),
  output: z.array(AnnouncedRate),
  problems: [],
});
