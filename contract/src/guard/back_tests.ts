/** Back-tests: what a rule would have blocked in the past, before it is saved. Nothing is changed. */
import { z } from 'zod';
import { country, currency, enumInput, micros, timestamp } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { spend } from '../spend.ts';
import { limitRule, RULE_PROBLEMS } from './limits.ts';
import { Evidence, PUMPING_SIGNALS, TRAFFIC } from './pumping.ts';
import { protectionInput } from './traffic_stops.ts';

export const BACK_TEST_DAYS = 90;
/** The back-test lists at most this many messages. */
export const BACK_TEST_EXAMPLES = 50;

/** The messages that a rule would have blocked, and what happened to them. */
const outcome = {
  days: z.int(),
  /** Messages of the tested days to which the rule applies. */
  messages: z.int(),
  blocked: z.int(),
  /** The cost of the blocked messages. */
  blocked_micros: spend(micros),
  currency,
  /** Blocked messages that were delivered. */
  delivered: z.int(),
  /** Blocked messages that were delivered and answered within three days, or blocked codes that were entered. */
  answered: z.int(),
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
};
const Outcome = z.object(outcome);
export type Outcome = z.output<typeof Outcome>;

export const BackTest = z.object({
  ...outcome,
  /** The intervals in which the limit would have been reached, beginning with the one that blocks most. */
  intervals: z.array(z.object({ start_date: timestamp, used: z.int(), blocked: z.int() })),
  /** The number of all such intervals. Limits per recipient, sender, or API key count the intervals of each one. */
  intervals_total: z.int(),
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

/** `blocked`: messages to these countries are refused. `allowed`: messages to all other countries are. */
export const COUNTRY_LISTS = ['blocked', 'allowed'] as const;

export const CountryBackTest = z.object({
  ...outcome,
  /** The countries whose messages would have been blocked, beginning with the most messages; at most 20. */
  countries: z.array(z.object({ country: z.string(), blocked: z.int(), blocked_micros: spend(micros) })),
  countries_total: z.int(),
});
export type CountryBackTest = z.output<typeof CountryBackTest>;

export const backTestCountries = endpoint({
  id: 'country_back_tests.create',
  method: 'POST',
  path: '/v1/country_back_tests',
  summary: `Test a list of countries on the messages of the last ${BACK_TEST_DAYS} days without saving it`,
  needs: 'ACCOUNTS:view',
  scans: true,
  body: z.object({
    list: enumInput(COUNTRY_LISTS, 'COUNTRY_LIST_INVALID').meta({
      description: '`blocked`: messages to the countries are refused. `allowed`: messages to all others are refused.',
    }),
    countries: z.array(country()).max(300),
  }),
  timeout_ms: 30_000,
  output: CountryBackTest,
  problems: ['COUNTRY_LIST_INVALID', 'COUNTRY_CODE_INVALID'],
});

export const TrafficBackTest = z.object({
  ...outcome,
  /** The signs of fraud that would have been found, beginning with those that block most; at most 20. */
  signs: z.array(
    z.object({
      traffic: z.enum(TRAFFIC),
      kind: z.enum(['range', 'country']),
      place: z.string(),
      country: z.string(),
      signal: z.enum(PUMPING_SIGNALS),
      evidence: Evidence,
      /** The evidence in words. */
      reason: z.string(),
      /** False if the sign would only have been reported. */
      refuses: z.boolean(),
      start_date: timestamp,
      end_date: timestamp,
      blocked: z.int(),
    }),
  ),
  signs_total: z.int(),
  /** True if the account has more ranges with peaks than the test compares, so it compared the busiest ones. */
  is_partial: z.boolean(),
});
export type TrafficBackTest = z.output<typeof TrafficBackTest>;

export const backTestTraffic = endpoint({
  id: 'traffic_back_tests.create',
  method: 'POST',
  path: '/v1/traffic_back_tests',
  summary: `Test settings of fraud protection on the messages of the last ${BACK_TEST_DAYS} days without saving them`,
  needs: 'SMS_LIMITS:view',
  scans: true,
  body: protectionInput,
  timeout_ms: 30_000,
  output: TrafficBackTest,
  problems: ['TRAFFIC_ACTION_INVALID', 'LIFT_HOURS_INVALID'],
});
