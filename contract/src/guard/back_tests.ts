/** Back-tests: what a limit would have blocked in the past, before it is saved. Nothing is changed. */
import { z } from 'zod';
import { currency, micros, timestamp } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { spend } from '../spend.ts';
import { limitRule, RULE_PROBLEMS } from './limits.ts';

export const BACK_TEST_DAYS = 90;
/** The back-test lists at most this many messages. */
export const BACK_TEST_EXAMPLES = 50;

export const BackTest = z.object({
  days: z.int(),
  /** Messages of the last days to which the limit applies. */
  messages: z.int(),
  blocked: z.int(),
  /** What the blocked messages cost. */
  blocked_micros: spend(micros),
  currency,
  /** Blocked messages that were delivered. */
  delivered: z.int(),
  /** Blocked messages that were delivered and whose recipient wrote back within three days. */
  answered: z.int(),
  /** The intervals in which the limit would have been reached, beginning with the one that blocks most. */
  intervals: z.array(z.object({ start_date: timestamp, used: z.int(), blocked: z.int() })),
  /** The number of all such intervals. For limits per recipient, sender, or API key, each of these counts. */
  intervals_total: z.int(),
  /** The newest blocked messages. Null if the caller may not see messages. */
  examples: z
    .array(
      z.object({
        id: z.string(),
        to: z.string(),
        country: z.string(),
        status: z.string(),
        answered: z.boolean(),
        create_date: timestamp,
      }),
    )
    .nullable(),
});
export type BackTest = z.output<typeof BackTest>;

export const backTestLimit = endpoint({
  id: 'limit_back_tests.create',
  method: 'POST',
  path: '/v1/limit_back_tests',
  summary: `Test a limit on the messages of the last ${BACK_TEST_DAYS} days without saving it`,
  needs: 'SMS_LIMITS:view',
  scans: true,
  body: limitRule,
  timeout_ms: 30_000,
  output: BackTest,
  problems: [...RULE_PROBLEMS, 'LIMIT_NOT_TESTABLE'],
});
