/** A button of a message, in the spellings that clients use. */
import { z } from 'zod';

export const buttonInput = z.object({
  /** quick_reply, link, or phone_call; derived from the value if missing. */
  type: z.string().trim().max(40).nullish(),
  text: z.string().trim().max(100).nullish(),
  value: z.string().trim().max(2_083).nullish(),
  /** Older names for `text` and `value`. */
  caption: z.string().trim().max(100).nullish(),
  url: z.string().trim().max(2_083).nullish(),
});
export type ButtonInput = z.output<typeof buttonInput>;
