/**
 * Automations: campaigns that start automatically when something happens to a person. Their runs are campaigns of their
 * own, with `series_id`.
 */
import { z } from 'zod';

/**
 * `joined`: the person was added to one of the audiences. `date`: a day before or after one of the person's dates.
 * `no_reply`: the person got another campaign and has not replied. `keyword`: the person sent a keyword.
 */
export const TRIGGER_KINDS = ['joined', 'date', 'no_reply', 'keyword'] as const;
export type TriggerKind = (typeof TRIGGER_KINDS)[number];

/** How often a person can get the message: `once`, once every `days`, or `every` time. */
export const REENTRY_RULES = ['once', 'days', 'every'] as const;

export const CampaignTrigger = z.object({
  on: z.enum(TRIGGER_KINDS),
  /** `joined`: true if imported contacts count. */
  imports: z.boolean(),
  /** `date`: the key of your own field with the date, otherwise null. */
  field: z.string().nullable(),
  /** `date`: the day of the message. 3 is three days after the date, and -3 three days before. */
  offset_days: z.int(),
  /** `date`: the time on the recipient's clock. */
  time: z.string(),
  /** `date`: true for each anniversary, such as birthdays; false for the date itself. */
  yearly: z.boolean(),
  /** `no_reply`: the campaign, all runs of a repeating campaign, or all runs of an automation. Otherwise null. */
  campaign_id: z.string().nullable(),
  /** `no_reply`: the days after the end of this campaign. */
  wait_days: z.int(),
  /** `keyword`: the keyword, otherwise null. */
  keyword_id: z.string().nullable(),
  reentry: z.enum(REENTRY_RULES),
  /** With `days`: the days after a message in which the person gets no other message. */
  reentry_days: z.int(),
});
export type CampaignTrigger = z.output<typeof CampaignTrigger>;

export const MAX_OFFSET_DAYS = 365;
export const MAX_WAIT_DAYS = 90;
export const MAX_REENTRY_DAYS = 3_650;
/**
 * The number of automations of an account that can be active at the same time. Each is checked for every new contact.
 */
export const MAX_ACTIVE_AUTOMATIONS = 100;

/** The rule of each kind if a request has none. */
export const DEFAULT_REENTRY: Readonly<Record<TriggerKind, CampaignTrigger['reentry']>> = {
  joined: 'once',
  date: 'every',
  no_reply: 'every',
  keyword: 'days',
};

export const newTrigger = (on: TriggerKind): CampaignTrigger => ({
  on,
  imports: false,
  field: null,
  offset_days: 0,
  time: '09:00',
  yearly: true,
  campaign_id: null,
  wait_days: 3,
  keyword_id: null,
  reentry: DEFAULT_REENTRY[on],
  reentry_days: 30,
});

/** The kinds whose messages can go to people outside the audiences, if the campaign has none. */
export const NEEDS_NO_AUDIENCE: readonly TriggerKind[] = ['no_reply', 'keyword'];

/** The kinds whose people get the message as soon as possible. A run collects them for a day. */
export const RUNS_ALL_DAY: readonly TriggerKind[] = ['joined', 'keyword'];
