import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { monthLabel } from '../../billing/statements.ts';

/** The current month in UTC and the 24 months after it. */
export function monthChoices(now: Date): { value: string; label: string }[] {
  return Array.from({ length: 25 }, (_, n) => {
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + n, 1)).toISOString().slice(0, 7);
    return { value: month, label: n === 0 ? `${monthLabel(month)} (now)` : monthLabel(month) };
  });
}

/** What the channel charges for. */
export const unitNoun = (channel: string): 'segment' | 'message' =>
  channelRules(channel as ChannelName).counts === 'messages' ? 'message' : 'segment';
