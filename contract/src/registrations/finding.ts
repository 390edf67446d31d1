/** What a reviewer would object to in a request. */
import { z } from 'zod';

export const Finding = z.object({
  code: z.string(),
  /** A blocker keeps the request from being sent. */
  level: z.enum(['blocker', 'warning']),
  /** Section, and the field in it. */
  field: z.string(),
  title: z.string(),
  why: z.string(),
  fix: z.string(),
});
export type Finding = z.output<typeof Finding>;
