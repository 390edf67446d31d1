import { parseTimestamp } from '@parley/contract/common.ts';
import type { ShortUrl } from '@parley/contract/links/links.ts';
import { countryName } from '../audiences/numbers.ts';

export const SOURCE_LABELS: Record<ShortUrl['source'], string> = {
  manual: 'Created here',
  api: 'Created through the API',
  message: 'Single messages',
  campaign: 'Campaign',
};

export const linkTitle = ({ name, url, campaign_name }: ShortUrl): string =>
  name || campaign_name || url.replace(/^https?:\/\/(www\.)?/, '').slice(0, 80);

export function linkState({ archived, expire_date, max_clicks, clicks }: ShortUrl): string {
  if (archived) return 'Archived';
  if (expire_date !== null && parseTimestamp(expire_date) <= new Date()) return 'Expired';
  return max_clicks !== null && clicks >= max_clicks ? 'Limit reached' : 'Active';
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
