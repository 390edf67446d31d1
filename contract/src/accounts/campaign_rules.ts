/** An account's rules for all of its campaigns. */
import { z } from 'zod';
import { country, problem } from '../common.ts';

/**
 * Another user must approve a campaign with more recipients or a higher cost than this. Null means no such threshold.
 */
export const ApprovalRule = z.object({ recipients: z.int().nullable(), amount_micros: z.int().nullable() });
export type ApprovalRule = z.output<typeof ApprovalRule>;

const ruleProblem = { error: problem('CAMPAIGN_APPROVAL_INVALID') };

export const approvalRuleInput = z
  .object({
    recipients: z.int(ruleProblem).min(0, ruleProblem).max(100_000_000, ruleProblem).nullable().default(null),
    amount_micros: z
      .int(ruleProblem)
      .min(0, ruleProblem)
      .max(1_000_000_000_000_000, ruleProblem)
      .nullable()
      .default(null),
  })
  .refine(({ recipients, amount_micros }) => recipients !== null || amount_micros !== null, ruleProblem);

/** The maximum number of campaign messages that a person gets per day and per week. Null means no limit. */
export const FrequencyCap = z.object({ per_day: z.int().nullable(), per_week: z.int().nullable() });
export type FrequencyCap = z.output<typeof FrequencyCap>;

const capProblem = { error: problem('FREQUENCY_CAP_INVALID') };
const cap = z.int(capProblem).min(1, capProblem).max(1_000, capProblem).nullable().default(null);

export const frequencyCapInput = z
  .object({ per_day: cap, per_week: cap })
  .refine(({ per_day, per_week }) => per_day !== null || per_week !== null, capProblem);

const MAX_COUNTRIES = 250;

/** The countries whose numbers are looked up before campaigns, without duplicates. */
export const lookupCountries = z
  .array(country('COUNTRY_INVALID'))
  .max(MAX_COUNTRIES, { error: problem('COUNTRY_INVALID') })
  .transform((countries) => [...new Set(countries)]);
