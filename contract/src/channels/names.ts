/** All channels, by their names in the API and the database. `index.ts` registers their rules. */
import { z } from 'zod';
import { problem } from '../common.ts';
import type { ProblemName } from '../problem.ts';

export const CHANNELS = ['SMS', 'VIBER', 'WHATSAPP'] as const;
export type ChannelName = (typeof CHANNELS)[number];

/** Accepted in any case and converted to upper case. */
export const channel = (code: ProblemName) =>
  z
    .string({ error: problem(code) })
    .transform((text) => text.toUpperCase())
    .pipe(z.enum(CHANNELS, { error: problem(code) }));
