/**
 * The variants of an A/B test: a campaign sends 2 to 4 versions of its message to a share of the recipients, waits, and
 * sends the version with the best results to the rest. Variant A is the message of the campaign itself.
 */
import { z } from 'zod';
import { timestamp } from '../common.ts';
import { CampaignContent } from './content.ts';

export const VARIANT_NAMES = ['A', 'B', 'C', 'D'] as const;
export type VariantName = (typeof VARIANT_NAMES)[number];
/**
 * The outcome that determines the winner: the variant with the largest share wins. With `opt_outs`, the smallest share
 * wins.
 */
export const TEST_METRICS = ['delivered', 'read', 'clicked', 'replied', 'opt_outs'] as const;
export type TestMetric = (typeof TEST_METRICS)[number];

const CampaignVariant = z.object({ text: z.string(), template: z.string().nullable(), ...CampaignContent.shape });
export type CampaignVariant = z.output<typeof CampaignVariant>;

export const CampaignTest = z.object({
  /** Variants B to D. */
  variants: z.array(CampaignVariant),
  /** The share of the recipients who get one of the variants, in percent. */
  share_percent: z.int(),
  /** How long the campaign waits after carriers have accepted the messages of the test. */
  wait_minutes: z.int(),
  metric: z.enum(TEST_METRICS),
  /** False if a user chooses the winner. */
  automatic: z.boolean(),
});
export type CampaignTest = z.output<typeof CampaignTest>;

export const MAX_TEST_MINUTES = 10_080;

/**
 * `sending`: to the recipients of the test. `waiting`: for their results, until `end_date`. `choosing`: a user must
 * choose the winner. `decided`: the winner is sent to the rest.
 */
const TEST_STATUSES = ['sending', 'waiting', 'choosing', 'decided'] as const;

export const CampaignTestState = z.object({
  recipients: z.int(),
  status: z.enum(TEST_STATUSES),
  end_date: timestamp.nullable(),
  winner: z.enum(VARIANT_NAMES).nullable(),
});
