/** Days in the account's time zone. */
import { z } from 'zod';
import { problem } from '../common.ts';

export const day = z.string().meta({ description: 'A day in the time zone of the account, as `yyyy-MM-dd`.' });
export const dayInput = z
  .string()
  .regex(/^(19[7-9]|20\d|21\d)\d-\d{2}-\d{2}$/, { error: problem('CHART_PERIOD_INVALID') })
  .refine((text) => new Date(`${text}T00:00:00Z`).toJSON()?.slice(0, 10) === text, {
    error: problem('CHART_PERIOD_INVALID'),
  });
