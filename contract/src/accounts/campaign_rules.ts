/** Rules of an account for all of its campaigns. */
import { z } from 'zod';
import { problem } from '../common.ts';

/** Another user must approve a campaign with more recipients or a higher cost than this. Null: no such threshold. */
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
