/** Verification codes: six digits sent by email or SMS, with the same rules everywhere. */
import { z } from 'zod';
import { problem, timestamp } from '../common.ts';

export const CODE_MINUTES = 10;
export const CODE_TRIES = 5;

export const code = z
  .string()
  .trim()
  .regex(/^\d{6}$/, { error: problem('VERIFICATION_CODE_INVALID') });

/** A code was sent. The response is the same if the address belongs to no user. */
export const Verification = z.object({
  id: z.string(),
  expire_date: timestamp,
  /** The earliest time at which another code can be requested. */
  resend_date: timestamp,
});
export type Verification = z.output<typeof Verification>;
