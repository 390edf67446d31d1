/**
 * When a campaign's messages are sent: in each recipient's time zone, within hours and on weekdays, outside quiet
 * hours, and at a limited rate. Recipients outside these hours wait for the next allowed time.
 */
import { z } from 'zod';
import { timestamp } from '../common.ts';

export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

/** Allowed hours on some days of the week, in the recipient's time zone. 1 is Monday, and 7 is Sunday. */
export const DeliveryWindow = z.object({ days: z.array(z.int()), from: z.string(), until: z.string() });
export type DeliveryWindow = z.output<typeof DeliveryWindow>;

/**
 * `account`: the account's quiet hours and the legal hours of the recipient's country, or neither if the account has no
 * quiet hours. `legal`: only the legal hours. `none`: neither, for messages that are not marketing.
 */
export const QUIET_MODES = ['account', 'legal', 'none'] as const;
/**
 * The action for a campaign that could not start within an hour of its time: `pause` it, `send` it late, or `skip` it.
 * With `skip`, recipients whose local time has passed by more than an hour are also skipped.
 */
export const MISSED_SCHEDULES = ['pause', 'send', 'skip'] as const;

export const CampaignTiming = z.object({
  /** True if each recipient gets the message when their clock shows the scheduled time of the account's clock. */
  local_time: z.boolean(),
  /** Empty if messages can be sent at any time. */
  windows: z.array(DeliveryWindow),
  quiet_hours: z.enum(QUIET_MODES),
  /** At most this many messages per second or hour. */
  rate: z.object({ messages: z.int(), per: z.enum(['second', 'hour']) }).nullable(),
  /** The hours over which the messages are spread evenly, instead of a rate. */
  spread_hours: z.int().nullable(),
  missed_schedule: z.enum(MISSED_SCHEDULES),
});
export type CampaignTiming = z.output<typeof CampaignTiming>;

export const NO_TIMING: CampaignTiming = {
  local_time: false,
  windows: [],
  quiet_hours: 'account',
  rate: null,
  spread_hours: null,
  missed_schedule: 'pause',
};

export const MAX_RATE = { second: 1_000, hour: 3_600_000 } as const;
export const MAX_SPREAD_HOURS = 168;

export const TIMING_PROBLEMS = ['CAMPAIGN_WINDOW_INVALID', 'CAMPAIGN_RATE_INVALID', 'CAMPAIGN_RATE_CONFLICT'] as const;

/** When recipients get their messages, as far as it can be predicted. */
export const Arrivals = z.object({
  bucket_minutes: z.int(),
  /** The number of recipients from each time until the next one. */
  buckets: z.array(z.object({ from: timestamp, recipients: z.int() })),
  first: timestamp.nullable(),
  last: timestamp.nullable(),
});
export type Arrivals = z.output<typeof Arrivals>;

/**
 * The sources of the recipients' time zones: the contact, the number, the country (where most of its people live), or
 * the account. Recipients whose time zone does not matter are not counted.
 */
export const ZoneSources = z.object({ contact: z.int(), number: z.int(), country: z.int(), account: z.int() });
export type ZoneSources = z.output<typeof ZoneSources>;
