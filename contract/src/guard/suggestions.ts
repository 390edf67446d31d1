/** Suggested numbers for limits, from the account's own traffic. Nothing is changed. */
import { z } from 'zod';
import { currency, timestamp } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { limitRule, RULE_PROBLEMS } from './limits.ts';

export const SUGGESTION_DAYS = 15;
/** The suggestion is this multiple of the highest interval, depending on the countries' risk. */
export const SUGGESTION_FACTORS = { low: 2, elevated: 1.5, high: 1.25 } as const;
export const COUNTRY_RISKS = ['low', 'elevated', 'high'] as const;
/** A message costs this multiple of the account's average, which attracts SMS pumping. */
export const COSTLY_TIMES = 3;
/** Less than this share of the messages is delivered. */
export const POOR_DELIVERY = 0.6;

/**
 * Why there is no suggestion: the traffic is not counted in these details, the caller may not see what the account
 * spends, or nothing was sent.
 */
export const NO_SUGGESTION = ['rule', 'permission', 'no_traffic'] as const;

export const LimitSuggestion = z.object({
  days: z.int(),
  /** The counted days end here, up to 15 hours ago. Null if nothing is counted yet. */
  until_date: timestamp.nullable(),
  /** Intervals with traffic, for each sender, API key, user, or campaign that the limit counts separately. */
  intervals: z.int(),
  currency,
  /**
   * The highest count of an interval: messages, or what they cost. For limits per month, the count of all these days
   * projected to 30 days. Null if there is no suggestion.
   */
  highest: z.int().nullable(),
  /** The start of that interval. Null for limits per month. */
  highest_date: timestamp.nullable(),
  /** The highest count times the risk factor, rounded up. Null if there is no suggestion. */
  suggested: z.int().nullable(),
  reason: z.enum(NO_SUGGESTION).nullable(),
  /**
   * The highest risk of the limit's countries, from the account's messages of these days. `elevated` with one of the
   * reasons, `high` with both. Null without countries or messages.
   */
  risk: z
    .object({
      level: z.enum(COUNTRY_RISKS),
      country: z.string(),
      /** A message's cost, as a multiple of the account's average. Null if the caller may not see it. */
      cost_times: z.number().nullable(),
      /** The share of messages that were delivered. */
      delivered: z.number(),
    })
    .nullable(),
});
export type LimitSuggestion = z.output<typeof LimitSuggestion>;

export const suggestLimit = endpoint({
  id: 'limit_suggestions.create',
  method: 'POST',
  path: '/v1/limit_suggestions',
  summary: `Suggest a value for a limit, based on the traffic from the last ${SUGGESTION_DAYS} days`,
  needs: 'SMS_LIMITS:view',
  body: limitRule.omit({ limit: true, block_traffic: true }),
  output: LimitSuggestion,
  problems: RULE_PROBLEMS.filter((name) => name !== 'LIMIT_VALUE_INVALID'),
});
