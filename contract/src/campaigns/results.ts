/** A campaign's results: replies, opt-outs, and results over time. */
import { z } from 'zod';
import { currency, idParams, micros, timestamp } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { FAILURES } from '../messages/messages.ts';
import { IDEMPOTENCY_PROBLEMS } from '../problems/groups.ts';
import { spend } from '../spend.ts';
import { VariantResults } from './ab_tests.ts';
import { Campaign } from './campaigns.ts';

/** A recipient's message to the campaign's sender counts as a response for this many days. */
export const REPLY_DAYS = 7;
export const MAX_RESULT_POINTS = 48;

export const MAX_NETWORK_RESULTS = 100;
/** A text contains at most this many links, and the texts of an A/B test can differ. */
export const MAX_LINK_RESULTS = 50;

const CountryFigures = z.object({ country: z.string(), recipients: z.int(), cost_micros: spend(micros) });
const ActualFigures = CountryFigures.extend({
  /** Number of messages that were not charged, and what they would have cost. */
  uncharged: z.int(),
  uncharged_micros: spend(micros),
});

/** The forecast of messages and costs when the campaign started. */
export const CampaignForecast = z.object({
  /** Number of recipients. */
  will_receive: z.int(),
  /** The amount reserved for them, which is spent if all messages are charged. */
  total_micros: spend(micros),
  countries: z.array(CountryFigures),
});
export type CampaignForecast = z.output<typeof CampaignForecast>;

export const CampaignResults = z.object({
  id: z.string(),
  /** Number of recipients who replied. A message that opts out is not a reply. */
  replies: z.int(),
  /** Number of recipients who opted out with a message and are still on the stop list. */
  opt_outs: z.int(),
  /** Number of recipients who opened a link, without bots and link previews; null if the campaign has no links. */
  clicked: z.int().nullable(),
  /** Number of recipients who got the message and did not respond. A follow-up goes to them. */
  silent: z.int(),
  /** Null before the start, and for campaigns that started before forecasts were stored. */
  forecast: CampaignForecast.nullable(),
  /** The messages that were created, and the amount spent and held for them. */
  actual: z.array(ActualFigures),
  /** By number of recipients; the network is null if it is unknown. At most MAX_NETWORK_RESULTS. */
  networks: z.array(
    CountryFigures.extend({
      mccmnc: z.string().nullable(),
      network: z.string().nullable(),
      delivered: z.int(),
      failed: z.int(),
    }),
  ),
  /** Why messages failed, the most frequent reason first. */
  failures: z.array(z.object({ failure: z.enum(FAILURES), recipients: z.int() })),
  /** The links in the message, and the recipients who opened each; empty without links. */
  links: z.array(z.object({ id: z.string(), url: z.string(), clicked: z.int() })),
  /** The results of the A/B test; empty without one. */
  variants: z.array(VariantResults),
  currency,
  /** The length of a period in seconds. */
  step_seconds: z.int(),
  /** Recipients by the time of their latest status and of their first reply; empty before the first message. */
  points: z.array(z.object({ date: timestamp, delivered: z.int(), sent: z.int(), failed: z.int(), replies: z.int() })),
});
export type CampaignResults = z.output<typeof CampaignResults>;

export const getCampaignResults = endpoint({
  id: 'campaign_results.get',
  method: 'GET',
  path: '/v1/campaigns/{id}/results',
  summary: 'Get a campaign’s replies, opt-outs, and results over time',
  needs: 'CAMPAIGNS:view',
  test_keys: true,
  scans: true,
  params: idParams('CAMPAIGN_ID_INVALID'),
  output: CampaignResults,
  problems: ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_ID_INVALID'],
});

/**
 * A new audience with the recipients who got the message but neither replied nor opted out, and a draft campaign to it.
 */
export const createFollowUp = endpoint({
  id: 'campaign_follow_ups.create',
  method: 'POST',
  path: '/v1/campaigns/{id}/follow_ups',
  summary: 'Draft a campaign for the recipients who did not reply',
  needs: 'CAMPAIGNS:add',
  uncounted_spend: true,
  params: idParams('CAMPAIGN_ID_INVALID'),
  timeout_ms: 60_000,
  status: 201,
  idempotent: true,
  output: Campaign,
  problems: [
    ...IDEMPOTENCY_PROBLEMS,
    'CAMPAIGN_NOT_FOUND',
    'CAMPAIGN_ID_INVALID',
    'CAMPAIGN_STATE_INVALID',
    'CAMPAIGN_AUDIENCE_EMPTY',
  ],
});
