/**
 * Campaigns that repeat daily, weekly, or monthly. Times are on the clock of the account's time zone, so a run at 09:00
 * stays at 09:00 when daylight saving time begins or ends.
 */
import { z } from 'zod';

export const REPEAT_UNITS = ['day', 'week', 'month'] as const;

export const CampaignRepeat = z.object({
  every: z.enum(REPEAT_UNITS),
  /** 2 with `week`: every second week. */
  interval: z.int(),
  /** The weekdays of a weekly campaign. 1 is Monday. Empty means the weekday of its schedule. */
  days: z.array(z.int()),
  /** The last day on which a run can start, such as 2026-12-31; null means no end. */
  until: z.string().nullable(),
  /** The number of runs, including skipped ones; null means no end. */
  count: z.int().nullable(),
});
export type CampaignRepeat = z.output<typeof CampaignRepeat>;

/** The number of future runs that are shown. */
export const SHOWN_RUNS = 10;
