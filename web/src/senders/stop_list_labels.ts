import type { StopListEntry } from '@parley/contract/audiences/stop_list.ts';
import { parsePhone } from '../ui/data/phone.ts';

/** Labels for the reasons why numbers are on the stop list. */
export const REASON_LABELS: Record<StopListEntry['reason'], string> = {
  keyword: 'Opted out by keyword',
  manual: 'Added manually',
  api: 'Added through the API',
  operator: 'Added by the operator',
  carrier: 'Reported by the carrier',
};

/** The confirmation before a number is removed from the stop list. */
export const removalConfirmation = ({ number, reason, sender_name }: StopListEntry) => ({
  title: `Allow messages to ${parsePhone(number).text} again?`,
  consequence:
    reason === 'keyword'
      ? 'This person opted out. Sending to them without consent can be illegal.'
      : `Messages from ${sender_name ?? 'all senders'} will be able to reach them again. The history is kept.`,
  action: 'Allow again',
  danger: reason === 'keyword',
});
