/** How texts are divided into segments for a recipient, for counters that must agree with the price. */
import { z } from 'zod';
import { SmsProfile } from '../channels/sms/profile.ts';
import { endpoint } from '../endpoint.ts';

export const Segmentation = SmsProfile.extend({
  /** True if the connection is not known, and others divide texts differently. */
  assumed: z.boolean(),
});
export type Segmentation = z.output<typeof Segmentation>;

export const getSegmentation = endpoint({
  id: 'segmentation.get',
  method: 'GET',
  path: '/v1/segmentation',
  summary: 'Get how texts are divided into segments: for a recipient, or for all recipients if it is the same for all',
  needs: null,
  query: z.object({ to: z.string().trim().max(45).optional() }),
  output: Segmentation,
  problems: [],
});
