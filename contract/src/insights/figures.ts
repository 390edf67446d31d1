/** The messages that each figure counts, as filters of the message log. A figure links to its messages. */
import { SENT_GROUPS } from '../messages/statuses.ts';
import type { ChartDimension } from './charts.ts';

/** Statuses are words of the log's filter (`LOG_WORDS`). */
interface FigureFilter {
  readonly direction?: 'MT' | 'MO';
  readonly statuses?: readonly string[];
  readonly charge?: 'held' | 'settled';
}

export const FIGURES = {
  sent: { direction: 'MT', statuses: SENT_GROUPS },
  delivered: { direction: 'MT', statuses: ['delivered'] },
  read: { direction: 'MT', statuses: ['read'] },
  failed: { direction: 'MT', statuses: ['undelivered'] },
  received: { direction: 'MO' },
  /** Messages sent and received. */
  traffic: { statuses: [...SENT_GROUPS, 'answered'] },
  spend: { charge: 'settled' },
  /** The amount reserved for messages on their way. */
  reserved: { charge: 'held' },
} as const satisfies Record<string, FigureFilter>;

/** The filter of the message log for a group of a chart. */
const GROUP_FILTERS = {
  channel: 'channel',
  country: 'countries',
  network: 'networks',
  sender: 'sender_ids',
  campaign: 'campaign_ids',
  source: 'source',
  status: 'statuses',
  price: 'charge',
  failure: 'failures',
  user: 'user_ids',
  key: 'key_ids',
} as const satisfies Record<ChartDimension, string>;

/** Returns null if the log has no filter for the group, such as messages of no campaign. */
export function groupFilter(by: ChartDimension, value: string): Record<string, string> | null {
  if (value !== '') return { [GROUP_FILTERS[by]]: value };
  return by === 'network' ? { networks: 'unknown' } : null;
}
