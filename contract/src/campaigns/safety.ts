/**
 * Safeguards of a campaign. A canary sends to the first recipients and waits before the rest is sent. The limits pause
 * the campaign at any time when too many messages fail or too many recipients object.
 */
import { z } from 'zod';
import { timestamp } from '../common.ts';
import { BULK_STATUSES } from '../lookups/bulk_statuses.ts';

export const CampaignCanary = z.object({
  /** The number of recipients in the canary, or `percent` of all recipients. One of the two is null. */
  recipients: z.int().nullable(),
  percent: z.int().nullable(),
  /** How long the campaign waits after carriers have accepted the messages of the canary. */
  wait_minutes: z.int(),
});
export type CampaignCanary = z.output<typeof CampaignCanary>;

/** Percentages of the recipients with a result. Null means no limit. */
const CampaignLimits = z.object({
  /** Messages that were not delivered. */
  failed_percent: z.number().nullable(),
  /** Recipients who opted out by a reply or a link. */
  opt_out_percent: z.number().nullable(),
  /** Recipients who blocked the sender, or whose carrier reported an opt-out. */
  complaint_percent: z.number().nullable(),
});

export const CampaignSafety = z.object({
  canary: CampaignCanary.nullable(),
  limits: CampaignLimits,
  /** Look up each number before sending, and skip landlines and numbers that are not in use. */
  lookup: z.boolean(),
  /** Only numbers of these countries are looked up. Null means all numbers. */
  lookup_countries: z.array(z.string()).nullable(),
});
export type CampaignSafety = z.output<typeof CampaignSafety>;

export const NO_SAFETY: CampaignSafety = {
  canary: null,
  limits: { failed_percent: null, opt_out_percent: null, complaint_percent: null },
  lookup: false,
  lookup_countries: null,
};

/** Limits apply from this number of results on, so that the first failure of many messages does not count as 100%. */
export const MIN_RESULTS = 20;
export const MAX_WAIT_MINUTES = 1_440;

export const SAFETY_PROBLEMS = ['CAMPAIGN_CANARY_INVALID', 'CAMPAIGN_LIMIT_INVALID'] as const;

/** The most numbers that one campaign can look up. Numbers with a recent result do not count. */
export const MAX_CAMPAIGN_LOOKUPS = 100_000;

/** The figures that the limits are compared with. */
export const SafetyFigures = z.object({
  /** The number of messages with a result: accepted, delivered, or failed. */
  results: z.int(),
  failed: z.int(),
  opt_outs: z.int(),
  complaints: z.int(),
});
export type SafetyFigures = z.output<typeof SafetyFigures>;

/** `sending`: to the first recipients. `waiting`: for their results, until `end_date`. `passed`: the rest is sent. */
const CANARY_STATUSES = ['sending', 'waiting', 'passed'] as const;

export const CampaignSafeguards = z.object({
  /** Null without a canary, and before the start. */
  canary: z.object({ recipients: z.int(), status: z.enum(CANARY_STATUSES), end_date: timestamp.nullable() }).nullable(),
  /** The figures that paused the campaign. After a resume, only later results count. */
  tripped: SafetyFigures.nullable(),
  /**
   * The bulk lookup of the recipients' numbers, and its progress. The campaign sends once it is completed. Null without
   * one, before the start, if all results were known, and after the bulk lookup was deleted.
   */
  lookup: z
    .object({ bulk_lookup_id: z.string(), status: z.enum(BULK_STATUSES), done: z.int(), total: z.int() })
    .nullable(),
});
