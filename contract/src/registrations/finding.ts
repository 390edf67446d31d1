/** A problem with a request that a reviewer would report. */
import { z } from 'zod';

export const PreflightFinding = z.object({
  code: z.string(),
  /** A blocker prevents the user from submitting the request. */
  level: z.enum(['blocker', 'warning']),
  /** The section and the field in it, such as `company.business_name`. */
  field: z.string(),
  title: z.string(),
  why: z.string(),
  fix: z.string(),
});
export type PreflightFinding = z.output<typeof PreflightFinding>;
