/** The results of an A/B test, and the choice of its winner. */
import { z } from 'zod';
import { idParams } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { Campaign } from './campaigns.ts';
import { VARIANT_NAMES } from './variants.ts';

/** The results of one variant, among the recipients of the test. */
export const VariantResults = z.object({
  variant: z.enum(VARIANT_NAMES),
  text: z.string(),
  messages: z.int(),
  delivered: z.int(),
  read: z.int(),
  clicked: z.int(),
  replied: z.int(),
  opt_outs: z.int(),
});
export type VariantResults = z.output<typeof VariantResults>;

/** The rest of the recipients gets this variant. A user can choose it before the test has ended. */
export const chooseWinner = endpoint({
  id: 'campaign_winners.create',
  method: 'POST',
  path: '/v1/campaigns/{id}/winners',
  summary: 'Choose the winner of an A/B test',
  needs: 'CAMPAIGNS:edit',
  uncounted_spend: true,
  params: idParams('CAMPAIGN_ID_INVALID'),
  body: z.object({ variant: z.enum(VARIANT_NAMES) }),
  status: 201,
  output: Campaign,
  problems: ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_ID_INVALID', 'CAMPAIGN_WINNER_NOT_ALLOWED'],
});
