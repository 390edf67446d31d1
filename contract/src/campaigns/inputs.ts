/** The input rules of a campaign's settings. They are separate from the settings, because most pages only show them. */
import { z } from 'zod';
import { lookupCountries } from '../accounts/campaign_rules.ts';
import { TIME_OF_DAY, toMinutes } from '../accounts/quiet_hours.ts';
import { isDate } from '../audiences/field_values.ts';
import { problem, uuid } from '../common.ts';
import { MAX_TEXT } from '../messages/messages.ts';
import { contentFields } from './content.ts';
import { REPEAT_UNITS } from './repeats.ts';
import { MAX_WAIT_MINUTES, NO_SAFETY } from './safety.ts';
import { MAX_RATE, MAX_SPREAD_HOURS, MISSED_SCHEDULES, NO_TIMING, QUIET_MODES } from './timing.ts';
import {
  DEFAULT_REENTRY,
  MAX_OFFSET_DAYS,
  MAX_REENTRY_DAYS,
  MAX_WAIT_DAYS,
  newTrigger,
  REENTRY_RULES,
  TRIGGER_KINDS,
} from './triggers.ts';
import { MAX_TEST_MINUTES, TEST_METRICS, VARIANT_NAMES } from './variants.ts';

const windowProblem = { error: problem('CAMPAIGN_WINDOW_INVALID') };
const time = z.string().regex(TIME_OF_DAY, windowProblem);
const rateProblem = { error: problem('CAMPAIGN_RATE_INVALID') };

/** Omitted fields have their defaults: send to everyone as soon as the law and the account's quiet hours allow. */
export const timingInput = z
  .object({
    local_time: z.boolean().default(NO_TIMING.local_time),
    windows: z
      .array(
        z
          .object({
            days: z
              .array(z.int(windowProblem).min(1, windowProblem).max(7, windowProblem))
              .min(1, windowProblem)
              .max(7),
            from: time,
            until: time,
          })
          .refine(({ from, until }) => toMinutes(from) < toMinutes(until), windowProblem),
      )
      .max(14, windowProblem)
      .default([]),
    quiet_hours: z.enum(QUIET_MODES).default(NO_TIMING.quiet_hours),
    rate: z
      .object({ messages: z.int(rateProblem).min(1, rateProblem), per: z.enum(['second', 'hour']) })
      .refine(({ messages, per }) => messages <= MAX_RATE[per], rateProblem)
      .nullable()
      .default(null),
    spread_hours: z.int(rateProblem).min(1, rateProblem).max(MAX_SPREAD_HOURS, rateProblem).nullable().default(null),
    missed_schedule: z.enum(MISSED_SCHEDULES).default(NO_TIMING.missed_schedule),
  })
  .refine(({ rate, spread_hours }) => rate === null || spread_hours === null, {
    error: problem('CAMPAIGN_RATE_CONFLICT'),
  });

const canaryProblem = { error: problem('CAMPAIGN_CANARY_INVALID') };
const limitProblem = { error: problem('CAMPAIGN_LIMIT_INVALID') };
const limit = z.number(limitProblem).min(0.1, limitProblem).max(100, limitProblem).nullable().default(null);

/** Omitted fields are off. */
export const safetyInput = z.object({
  canary: z
    .object({
      recipients: z.int(canaryProblem).min(1, canaryProblem).max(100_000, canaryProblem).nullable().default(null),
      percent: z.int(canaryProblem).min(1, canaryProblem).max(99, canaryProblem).nullable().default(null),
      wait_minutes: z.int(canaryProblem).min(1, canaryProblem).max(MAX_WAIT_MINUTES, canaryProblem).default(30),
    })
    .refine(({ recipients, percent }) => (recipients === null) !== (percent === null), canaryProblem)
    .nullable()
    .default(null),
  limits: z
    .object({ failed_percent: limit, opt_out_percent: limit, complaint_percent: limit })
    .default(NO_SAFETY.limits),
  /** Defaults to the account's settings (`hlr_check`, `mnp_check`). */
  lookup: z.boolean().optional(),
  lookup_countries: lookupCountries.nullish(),
});

const testProblem = { error: problem('CAMPAIGN_TEST_INVALID') };

export const testInput = z.object({
  variants: z
    .array(
      z.object({
        text: z
          .string()
          .max(MAX_TEXT, { error: problem('MESSAGE_TEXT_TOO_LONG') })
          .optional(),
        template: uuid('CAMPAIGN_TEMPLATE_INVALID').nullable().optional(),
        ...contentFields,
      }),
    )
    .min(1, testProblem)
    .max(VARIANT_NAMES.length - 1, testProblem),
  share_percent: z.int(testProblem).min(1, testProblem).max(100, testProblem).default(20),
  wait_minutes: z.int(testProblem).min(1, testProblem).max(MAX_TEST_MINUTES, testProblem).default(240),
  metric: z.enum(TEST_METRICS, testProblem).default('delivered'),
  automatic: z.boolean().default(true),
});
export type TestInput = z.output<typeof testInput>;

const repeatProblem = { error: problem('CAMPAIGN_REPEAT_INVALID') };

export const repeatInput = z
  .object({
    every: z.enum(REPEAT_UNITS, repeatProblem),
    interval: z.int(repeatProblem).min(1, repeatProblem).max(30, repeatProblem).default(1),
    days: z.array(z.int(repeatProblem).min(1, repeatProblem).max(7, repeatProblem)).max(7, repeatProblem).default([]),
    until: z
      .string()
      .refine((text) => text >= '2000' && text < '2100' && isDate(text), repeatProblem)
      .nullable()
      .default(null),
    count: z.int(repeatProblem).min(1, repeatProblem).max(1_000, repeatProblem).nullable().default(null),
  })
  .refine(({ every, days }) => days.length === 0 || every === 'week', repeatProblem);

const triggerProblem = { error: problem('CAMPAIGN_TRIGGER_INVALID') };
const days = (from: number, to: number) => z.int(triggerProblem).min(from, triggerProblem).max(to, triggerProblem);

/** Only the fields of the kind count. The others get their defaults. */
export const triggerInput = z
  .object({
    on: z.enum(TRIGGER_KINDS, triggerProblem),
    imports: z.boolean().optional(),
    field: z.string(triggerProblem).max(32, triggerProblem).nullish(),
    offset_days: days(-MAX_OFFSET_DAYS, MAX_OFFSET_DAYS).optional(),
    time: z.string().regex(TIME_OF_DAY, triggerProblem).optional(),
    yearly: z.boolean().optional(),
    campaign_id: uuid('CAMPAIGN_TRIGGER_INVALID').nullish(),
    wait_days: days(1, MAX_WAIT_DAYS).optional(),
    keyword_id: uuid('CAMPAIGN_TRIGGER_INVALID').nullish(),
    reentry: z.enum(REENTRY_RULES, triggerProblem).optional(),
    reentry_days: days(1, MAX_REENTRY_DAYS).optional(),
  })
  .transform((input) => {
    const { on, reentry = DEFAULT_REENTRY[on] } = input;
    const base = newTrigger(on);
    const { time = base.time, yearly = base.yearly, offset_days = 0, wait_days = base.wait_days } = input;
    const { reentry_days = base.reentry_days } = input;
    return {
      ...base,
      ...(on === 'joined' ? { imports: input.imports ?? false } : {}),
      ...(on === 'date' ? { field: input.field ?? null, offset_days, time, yearly } : {}),
      ...(on === 'no_reply' ? { campaign_id: input.campaign_id ?? null, wait_days } : {}),
      ...(on === 'keyword' ? { keyword_id: input.keyword_id ?? null } : {}),
      ...{ reentry, reentry_days },
    };
  })
  .refine(({ on, field }) => on !== 'date' || (field ?? '') !== '', triggerProblem)
  .refine(({ on, campaign_id }) => on !== 'no_reply' || campaign_id !== null, triggerProblem)
  .refine(({ on, keyword_id }) => on !== 'keyword' || keyword_id !== null, triggerProblem);
