/** The groups of a chart: their names, and the messages that they count. */
import type { ChartDimension, Charts } from '@parley/contract/insights/charts.ts';
import { groupFilter } from '@parley/contract/insights/figures.ts';
import { CHARGES, FAILURES, SOURCES } from '@parley/contract/messages/messages.ts';
import { MESSAGE_GROUPS, MESSAGE_STATUS, STATUSES } from '@parley/contract/messages/statuses.ts';
import { channelLabel } from '../channels/index.ts';
import { CHARGE_LABELS, FAILURE_WORDS, SOURCE_WORDS } from '../messages/words.ts';
import { countryName } from '../ui/form/countries.ts';

export type Group = Charts['groups'][number];

export const DIMENSION_LABELS: Readonly<Record<ChartDimension, string>> = {
  channel: 'Channel',
  country: 'Country',
  network: 'Network',
  sender: 'Sender',
  campaign: 'Campaign',
  source: 'Source',
  status: 'Status',
  price: 'Price',
  failure: 'Failure reason',
  user: 'User',
  key: 'API key',
};

const NONE: Partial<Record<ChartDimension, string>> = {
  network: 'Unknown network',
  campaign: 'No campaign',
  failure: 'No failure',
  user: 'No user',
  key: 'No API key',
};

const find = <T extends string>(words: readonly T[], value: string): T | undefined =>
  words.find((word) => word === value);

export function groupName(by: ChartDimension, { value, label }: Pick<Group, 'value' | 'label'>): string {
  if (value === '') return NONE[by] ?? 'Unknown';
  switch (by) {
    case 'channel':
      return channelLabel(value);
    case 'country':
      return countryName(value);
    case 'source':
      return SOURCE_WORDS[find(SOURCES, value) ?? 'api'];
    case 'status':
      return MESSAGE_GROUPS[value as keyof typeof MESSAGE_GROUPS].label;
    case 'price':
      return CHARGE_LABELS[find(CHARGES, value) ?? 'none'];
    case 'failure':
      return FAILURE_WORDS[find(FAILURES, value) ?? 'unknown'];
    default:
      return label === value ? `Deleted ${DIMENSION_LABELS[by].toLowerCase()}` : label;
  }
}

/** The filters of the log in the URL, by their names in the API. */
const URL_NAMES: Readonly<Record<string, string>> = {
  countries: 'country',
  networks: 'network',
  sender_ids: 'sender',
  campaign_ids: 'campaign',
  failures: 'failure',
  user_ids: 'user',
  key_ids: 'key',
};

/** The filters of the log for a group; null if the log cannot list it. */
export function groupScope(by: ChartDimension, value: string): Record<string, string> | null {
  const filter = groupFilter(by, value);
  return filter && Object.fromEntries(Object.entries(filter).map(([name, text]) => [URL_NAMES[name] ?? name, text]));
}

const NAMES = ['messages', 'sent', 'delivered', 'read', 'failed', 'received', 'segments', 'spend_micros'] as const;
type Figures = Pick<Group, (typeof NAMES)[number]>;

const add = (sum: Figures, row: Figures): Figures =>
  Object.fromEntries(
    NAMES.map((name) => [name, sum[name] === null ? null : (sum[name] ?? 0) + (row[name] ?? 0)]),
  ) as Figures;

/** Statuses are shown and linked as the groups of the log's status filter. */
export function shownGroups({ by, groups }: Pick<Charts, 'by' | 'groups'>): Group[] {
  if (by !== 'status') return groups;
  const folded = new Map<string, Group>();
  for (const row of groups) {
    const value = MESSAGE_STATUS[find(STATUSES, row.value) ?? 'sent'].group;
    const sum = folded.get(value);
    folded.set(
      value,
      sum ? { ...sum, ...add(sum, row), before: add(sum.before, row.before) } : { ...row, value, label: value },
    );
  }
  return [...folded.values()].sort((a, b) => b.messages - a.messages);
}
