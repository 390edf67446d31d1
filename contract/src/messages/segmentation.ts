/** The rules that divide texts into segments, for counters that must agree with the price. */
import { z } from 'zod';
import { SmsProfile } from '../channels/sms/profile.ts';
import { currency, micros } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { spend } from '../spend.ts';

export const Segmentation = SmsProfile.extend({
  /** True if the connection is unknown and connections divide texts differently. */
  assumed: z.boolean(),
  /** The start of the short URLs that replace `{url=https://...}`. */
  link_prefix: z.string(),
  /** The price of a segment to this recipient; null without a recipient, or if no price is set. */
  segment_price_micros: spend(micros),
  currency,
});
export type Segmentation = z.output<typeof Segmentation>;

export const getSegmentation = endpoint({
  id: 'segmentation.get',
  method: 'GET',
  path: '/v1/segmentation',
  summary: 'Get the rules that divide texts into segments, for one recipient or for all recipients with the same rules',
  needs: null,
  test_keys: true,
  query: z.object({ to: z.string().trim().max(45).optional() }),
  output: Segmentation,
  problems: [],
});
