import { z } from 'zod';

/** Product preferences of a company. Unknown fields are rejected. */
export const Preference = z.strictObject({
  /** True once the welcome popup has been closed. */
  welcome_closed: z.boolean().optional(),
  /** Steps dismissed from the first-steps list. */
  steps_closed: z.array(z.string().max(40)).max(40).optional(),
  onboarding: z.object({ industry_id: z.int().optional(), region: z.string().max(10).optional() }).optional(),
  insights: z.record(z.string().max(40), z.unknown()).optional(),
  templates: z.record(z.string().max(40), z.unknown()).optional(),
});
export type Preference = z.output<typeof Preference>;
