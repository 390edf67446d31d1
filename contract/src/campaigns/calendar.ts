/** The calendar of campaigns, and the tags in use. */
import { z } from 'zod';
import { isDate } from '../audiences/field_values.ts';
import { CHANNELS } from '../channels/names.ts';
import { filterWord, timestamp } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { CAMPAIGN_STATUSES } from './statuses.ts';

export const MAX_CALENDAR_DAYS = 62;
const date = z
  .string()
  .refine((text) => isDate(text) && text >= '1970-01-02' && text < '2200')
  .meta({ description: 'A day in the time zone of the account: `yyyy-MM-dd`.', examples: ['2027-01-31'] });

export const CalendarEntry = z.object({
  campaign_id: z.string(),
  name: z.string(),
  channel: z.string(),
  status: z.enum(CAMPAIGN_STATUSES),
  /**
   * `sent`: the campaign has started. `scheduled`: it will start. `run`: a future run of a repeating campaign.
   * `approval`: it is awaiting approval.
   */
  kind: z.enum(['sent', 'scheduled', 'run', 'approval']),
  /** The start. For a campaign awaiting approval, its schedule, or else the time of the request. */
  at: timestamp,
  /** Null before the start. */
  recipients: z.int().nullable(),
});
export type CalendarEntry = z.output<typeof CalendarEntry>;

export const getCalendar = endpoint({
  id: 'campaign_calendar.get',
  method: 'GET',
  path: '/v1/campaign_calendar',
  summary: 'Get the past and future starts of campaigns in up to 62 days, at most 1,000',
  needs: 'CAMPAIGNS:view',
  query: z.object({ from: date, to: date, channel: filterWord(CHANNELS, 'MESSAGE_CHANNEL_INVALID').optional() }),
  output: z.array(CalendarEntry),
  problems: ['MESSAGE_CHANNEL_INVALID', 'VALUE_INVALID'],
});

export const listTags = endpoint({
  id: 'campaign_tags.list',
  method: 'GET',
  path: '/v1/campaign_tags',
  summary: 'List the 200 most frequently used campaign tags',
  needs: 'CAMPAIGNS:view',
  output: z.array(z.object({ tag: z.string(), campaigns: z.int() })),
  problems: [],
});
