/** The name of a channel in a request. */
import { z } from 'zod';
import { matchWord, problem } from '../common.ts';
import type { ProblemName } from '../problem.ts';
import { CHANNELS } from './names.ts';

/** Accepts a channel name in any case. `missing` is an optional separate problem for a request without a channel. */
export const channel = (code: ProblemName, missing: ProblemName = code) =>
  z
    .string({ error: ({ input }) => problem(input === undefined || input === null ? missing : code) })
    .transform((text) => matchWord(CHANNELS, text))
    .pipe(z.enum(CHANNELS, { error: problem(code) }));
