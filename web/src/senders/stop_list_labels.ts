import type { StopListEntry } from '@parley/contract/audiences/stop_list.ts';
import { parsePhone } from '../ui/data/phone.ts';

/** Why a number is on the stop list, in words. */
export const REASON_LABELS: Record<StopListEntry['reason'], string> = {
  keyword: 'They asked for it',
  manual: 'Added by hand',
  api: 'Added through the API',
  operator: 'Added by the operator',
  carrier: 'Reported by the carrier',
};

/** What is asked before a number is taken off the stop list. */
export const removalConfirmation = ({ number, reason, sender_name }: StopListEntry) => ({
  title: `Allow ${parsePhone(number).text} again?`,
  consequence:
    reason === 'keyword'
      ? 'They asked to get nothing more. Writing to them without their consent can be against the law.'
      : `Messages from ${sender_name ?? 'every sender'} can reach them again. The history keeps what was.`,
  action: 'Allow again',
  danger: reason === 'keyword',
});
