/** Rehearsals: the whole campaign is written, checked, and priced for every contact, and nothing is sent. */
import { z } from 'zod';
import { currency, micros, range } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { spend } from '../spend.ts';
import { CampaignPreview, previewBody, previewCampaign, Sample } from './previews.ts';

export const EXCLUSIONS = [
  'stop_list',
  'excluded',
  'duplicate',
  'country',
  'country_blocked',
  'no_text',
  'no_value',
  'no_route',
  'no_price',
  'too_long',
  'frequency_cap',
  'no_window',
  'missed',
  'landline',
  'not_in_use',
  'no_session',
] as const;
export type Exclusion = (typeof EXCLUSIONS)[number];

/**
 * How certain a price is. `certain`: it depends on no network, or on one that a lookup found. `number_range`: it is the
 * price of the network that the range of the number is assigned to. `lookup`: the lookup before sending can find
 * another network. `maximum`: the price of the most expensive channel, while the one that delivers is charged.
 */
export const PRICE_CERTAINTIES = ['certain', 'number_range', 'lookup', 'maximum'] as const;
export type PriceCertainty = (typeof PRICE_CERTAINTIES)[number];

export const MAX_EXAMPLES = 10;

export const CampaignRehearsal = z.object({
  counts: CampaignPreview.shape.counts,
  arrivals: CampaignPreview.shape.arrivals,
  zones: CampaignPreview.shape.zones,
  total_micros: spend(micros),
  currency,
  /** The cost by country and network; the network is null if the numbering plan does not name it. */
  networks: z.array(
    z.object({
      country: z.string(),
      mccmnc: z.string().nullable(),
      network: z.string().nullable(),
      recipients: z.int(),
      segments: z.int(),
      cost_micros: spend(micros),
      /** Of the least certain price in the row. */
      certainty: z.enum(PRICE_CERTAINTIES),
    }),
  ),
  /** The longest and the shortest text, texts with an empty variable, and others: at most 10 different contacts. */
  examples: z.array(
    Sample.pick({ number: true, text: true, content: true, segments_count: true }).extend({
      kind: z.enum(['longest', 'shortest', 'empty_variable', 'other']),
    }),
  ),
  /** A page of the contacts who will get no message, in the order of the fan-out. */
  excluded: z.array(
    z.object({
      number: z.string(),
      country: z.string(),
      first_name: z.string(),
      last_name: z.string(),
      reason: z.enum(EXCLUSIONS),
    }),
  ),
  excluded_total: z.int(),
});
export type CampaignRehearsal = z.output<typeof CampaignRehearsal>;

export const rehearseCampaign = endpoint({
  id: 'campaign_rehearsals.create',
  method: 'POST',
  path: '/v1/campaign_rehearsals',
  summary: 'Rehearse a campaign: cost by network, example texts, and the contacts it would skip',
  needs: 'CAMPAIGNS:view',
  body: previewBody.extend({
    /** Only the contacts excluded for this reason. */
    reason: z.enum(EXCLUSIONS).optional(),
    /** Index of the first excluded contact, starting at 0. */
    offset: range(0, 1_000_000).default(0),
    size: range(1, 100).default(10),
  }),
  timeout_ms: 60_000,
  output: CampaignRehearsal,
  problems: [...previewCampaign.problems, 'CAMPAIGN_AUDIENCE_REQUIRED'],
});
