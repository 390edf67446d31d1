/** Every channel, by its name in the API and in the database. A description of each is in `index.ts`. */
import { z } from 'zod';
import { problem } from '../common.ts';
import type { ProblemName } from '../problem.ts';

export const CHANNELS = ['SMS', 'VIBER', 'WHATSAPP'] as const;
export type ChannelName = (typeof CHANNELS)[number];

/** Accepted in any case, kept in upper case. */
export const channel = (code: ProblemName) =>
  z
    .string({ error: problem(code) })
    .transform((text) => text.toUpperCase())
    .pipe(z.enum(CHANNELS, { error: problem(code) }));
