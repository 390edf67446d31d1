/** The name of a channel in a request. */
import { z } from 'zod';
import { problem } from '../common.ts';
import type { ProblemName } from '../problem.ts';
import { CHANNELS } from './names.ts';

/** Accepts a channel name in any case and converts it to upper case. */
export const channel = (code: ProblemName) =>
  z
    .string({ error: problem(code) })
    .transform((text) => text.toUpperCase())
    .pipe(z.enum(CHANNELS, { error: problem(code) }));
