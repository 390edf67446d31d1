import type { StopListEntry } from '@parley/contract/audiences/stop_list.ts';
import { parsePhone } from '../ui/data/phone.ts';
import { confirm } from '../ui/feedback/Confirm.tsx';

/** Labels for the reasons why numbers are on the stop list. */
export const REASON_LABELS: Record<StopListEntry['reason'], string> = {
  keyword: 'Opted out by keyword',
  manual: 'Added manually',
  api: 'Added through the API',
  operator: 'Added by the operator',
  carrier: 'Reported by the carrier',
  link: 'Opted out by link',
};

/** A person who opted out is removed from the stop list only after a confirmation; other removals can be undone. */
export const confirmRemoval = async ({ number, reason }: StopListEntry): Promise<boolean> =>
  (reason !== 'keyword' && reason !== 'link') ||
  (await confirm({
    title: `Remove ${parsePhone(number).text} from the stop list?`,
    consequence: 'This person opted out. Sending to them without consent can be illegal.',
    action: 'Remove from the stop list',
    danger: true,
  }));

export const removalQuestion = (rows: string) => ({
  title: `Remove ${rows} from the stop list?`,
  consequence: 'Some of them may have opted out. Sending to them without consent can be illegal.',
  action: 'Remove from the stop list',
});

export const removedText = ({ number }: StopListEntry): string =>
  `${parsePhone(number).text} was removed from the stop list.`;
