import type { LookupPrice, LookupStatus, NumberLookup } from '@parley/contract/lookups/lookups.ts';
import { formatMoney } from '../ui/data/format.ts';
import type { StatusWord } from '../ui/data/status.ts';

export const LOOKUP_LABELS: Readonly<Record<LookupStatus, StatusWord>> = {
  pending: { label: 'Pending', tone: 'wait', icon: 'clock' },
  good: { label: 'Good', tone: 'ok', icon: 'check' },
  bad: { label: 'Bad', tone: 'fail', icon: 'cross' },
  landline: { label: 'Landline', tone: 'off', icon: 'ban' },
  unknown: { label: 'Unknown', tone: 'wait', icon: 'question' },
};

const LINE_LABELS: Readonly<Record<NonNullable<NumberLookup['line_type']>, string>> = {
  mobile: 'Mobile',
  landline: 'Landline',
  voip: 'VoIP',
  toll_free: 'Toll-free',
  other: 'Other',
};
export const lineLabel = ({ line_type }: NumberLookup): string => (line_type ? LINE_LABELS[line_type] : '\u2013');

const LIVE_LABELS: Readonly<Record<NonNullable<NumberLookup['live_status']>, string>> = {
  active: 'Reachable',
  absent: 'Switched off or out of reach',
  inactive: 'Not in use',
};
export function liveLabel({ is_live, live_status }: NumberLookup): string {
  if (!is_live) return 'Not live: from the numbering plan';
  return live_status ? LIVE_LABELS[live_status] : 'Not reported';
}

export const portedLabel = ({ ported }: NumberLookup): string =>
  ported === null ? 'Not reported' : ported ? 'Yes' : 'No';

/** "$0.005 per number that is found" */
export function priceText({ price_micros, currency, is_live }: LookupPrice): string {
  if (!is_live)
    return 'Free. No lookup provider is connected, so results come from the numbering plan and are not live.';
  return `${formatMoney(price_micros, currency, { exact: true })} per number. Numbers that are not found are free.`;
}
