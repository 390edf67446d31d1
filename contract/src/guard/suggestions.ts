/** Suggested numbers for limits, from the account's own traffic. Nothing is changed. */
import { z } from 'zod';
import { currency, timestamp } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { limitRule, RULE_PROBLEMS } from './limits.ts';

export const SUGGESTION_DAYS = 15;
/** The suggestion is this many times the highest interval. */
export const SUGGESTION_FACTOR = 2;

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
  /** Twice the highest count, rounded up. Null if there is no suggestion. */
  suggested: z.int().nullable(),
  reason: z.enum(NO_SUGGESTION).nullable(),
});
export type LimitSuggestion = z.output<typeof LimitSuggestion>;

export const suggestLimit = endpoint({
  id: 'limit_suggestions.create',
  method: 'POST',
  path: '/v1/limit_suggestions',
  summary: `Suggest a value for a limit, based on the traffic of the last ${SUGGESTION_DAYS} days`,
  needs: 'SMS_LIMITS:view',
  body: limitRule.omit({ limit: true, block_traffic: true }),
  output: LimitSuggestion,
  problems: RULE_PROBLEMS.filter((name) => name !== 'LIMIT_VALUE_INVALID'),
});
