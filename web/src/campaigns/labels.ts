/** Labels for campaigns, their recipients, and their messages. */
import type { Campaign, SkipReason } from '@parley/contract/campaigns/campaigns.ts';
import type { RESPONSES } from '@parley/contract/campaigns/recipients.ts';
import { WEEKDAYS } from '@parley/contract/campaigns/timing.ts';
import { formatNumber } from '../ui/data/format.ts';
import { countryName } from '../ui/form/countries.ts';

export const SKIP_LABELS: Record<SkipReason, string> = {
  invalid: 'Invalid number',
  stop_list: 'On the stop list',
  no_route: 'No route',
  no_price: 'No price',
  too_long: 'Over 10 segments',
  no_text: 'Empty message',
  no_value: 'No value for a variable',
  content: 'Content not allowed',
  country: 'Outside the targeted countries',
  country_blocked: 'In a blocked country',
  recipient_limit: 'Limit per recipient reached',
  frequency_cap: 'Frequency cap reached',
  duplicate: 'Duplicate',
  excluded: 'In an excluded audience',
  removed: 'Removed from audience',
  no_window: 'Delivery window within quiet hours',
  missed: 'Scheduled local time had passed',
  landline: 'Landline',
  not_in_use: 'Number not in use',
  no_session: 'No message in the last 24 hours',
  canceled: 'Canceled before sending',
};

export const RESPONSE_LABELS: Record<(typeof RESPONSES)[number], string> = {
  replied: 'Replied',
  opted_out: 'Opted out',
  clicked: 'Clicked a link',
  none: 'No response',
};

export const VALIDITIES: readonly { value: string; label: string }[] = [
  { value: '30', label: '30 seconds' },
  { value: '60', label: '1 minute' },
  { value: '120', label: '2 minutes' },
  { value: '180', label: '3 minutes' },
  { value: '300', label: '5 minutes' },
  { value: '600', label: '10 minutes' },
  { value: '900', label: '15 minutes' },
  { value: '3600', label: '1 hour' },
  { value: '14400', label: '4 hours' },
  { value: '86400', label: '24 hours' },
  { value: '172800', label: '48 hours' },
  { value: '259200', label: '72 hours' },
];

export const validityLabel = (seconds: number): string =>
  VALIDITIES.find(({ value }) => value === String(seconds))?.label ?? `${Math.round(seconds / 60)} minutes`;

export const VARIABLES = [
  { key: 'first_name', label: 'First name' },
  { key: 'last_name', label: 'Last name' },
  { key: 'custom1', label: 'Custom 1' },
  { key: 'custom2', label: 'Custom 2' },
  { key: 'sms_opt_out', label: 'Opt-out line' },
  { key: 'url=https://', label: 'Short link' },
] as const;

/** The timing of a campaign in words; empty if it has none. */
export function describeTiming({ local_time, windows, quiet_hours, rate, spread_hours }: Campaign['timing']): string {
  const parts = [
    local_time && 'in each recipient’s time zone',
    ...windows.map(({ days, from, until }) => `${listDays(days)} ${from} to ${until}`),
    quiet_hours === 'legal' && 'within legal hours',
    quiet_hours === 'none' && 'also in quiet hours',
    rate && `at most ${rate.messages.toLocaleString('en-US')} per ${rate.per}`,
    spread_hours && `spread over ${spread_hours === 1 ? '1 hour' : `${spread_hours} hours`}`,
  ].filter((part): part is string => Boolean(part));
  const text = parts.join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The safeguards of a campaign in words; empty if it has none. */
export function describeSafety({ canary, limits, lookup, lookup_countries }: Campaign['safety']): string {
  const parts = [
    lookup && `look up numbers${lookup_countries ? ` in ${listCountries(lookup_countries)}` : ''} first`,
    canary && `first ${canary.percent === null ? formatNumber(canary.recipients ?? 0) : `${canary.percent}%`}`,
    canary && `then wait ${canary.wait_minutes} min`,
    limits.failed_percent !== null && `at most ${limits.failed_percent}% failures`,
    limits.opt_out_percent !== null && `${limits.opt_out_percent}% opt-outs`,
    limits.complaint_percent !== null && `${limits.complaint_percent}% blocked senders`,
  ].filter((part): part is string => Boolean(part));
  const text = parts.join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const listCountries = (codes: readonly string[]): string =>
  codes.length > 3 ? `${codes.length} countries` : new Intl.ListFormat('en').format(codes.map(countryName));

/** How a campaign repeats, in words. */
export function describeRepeat({ every, interval, days }: NonNullable<Campaign['repeat']>): string {
  const often = interval === 1 ? REPEAT_LABELS[every] : `Every ${interval} ${every}s`;
  return days.length > 0 ? `${often} on ${listDays(days)}` : often;
}

const REPEAT_LABELS = { day: 'Daily', week: 'Weekly', month: 'Monthly' } as const;

const listDays = (days: readonly number[]): string =>
  days.length === 7 ? 'daily' : days.map((day) => WEEKDAYS[day - 1]!.slice(0, 3)).join(', ');
