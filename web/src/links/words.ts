import { parseTimestamp } from '@parley/contract/common.ts';
import type { ShortUrl } from '@parley/contract/links/links.ts';
import { countryName } from '../audiences/numbers.ts';
import type { StatusWord } from '../ui/data/status.ts';

export const SOURCE_LABELS: Record<ShortUrl['source'], string> = {
  manual: 'Created here',
  api: 'Created through the API',
  message: 'Single messages',
  campaign: 'Campaign',
};

export const withoutProtocol = (url: string): string => url.replace(/^https?:\/\/(www\.)?/, '');

export const linkTitle = ({ name, url, campaign_name }: ShortUrl): string =>
  name || campaign_name || withoutProtocol(url).slice(0, 80);

const STATES = {
  active: { label: 'Active', tone: 'ok', icon: 'check' },
  archived: { label: 'Archived', tone: 'off', icon: 'dashed' },
  expired: { label: 'Expired', tone: 'off', icon: 'clock' },
  full: { label: 'Limit reached', tone: 'wait', icon: 'paused' },
} as const satisfies Record<string, StatusWord>;

export function linkState({ archived, expire_date, max_clicks, clicks }: ShortUrl): StatusWord {
  if (archived) return STATES.archived;
  if (expire_date !== null && parseTimestamp(expire_date) <= new Date()) return STATES.expired;
  return max_clicks !== null && clicks >= max_clicks ? STATES.full : STATES.active;
}

const DEVICE_LABELS: Readonly<Record<string, string>> = {
  phone: 'Phone',
  tablet: 'Tablet',
  computer: 'Computer',
  other: 'Other',
};
export const deviceLabel = (name: string): string => DEVICE_LABELS[name] ?? name;
export const referrerLabel = (name: string): string => name || 'Direct or from an app';
export const clickCountry = (name: string): string => (name ? countryName(name) : 'Unknown');
