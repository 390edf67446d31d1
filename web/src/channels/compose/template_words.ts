/** What the lists of templates say. */
import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import type { Template } from '@parley/contract/templates/templates.ts';

/** Specification, section 9. */
export const SEARCH_DEBOUNCE_MS = 700;

/** Exact words of the specification, section 2. */
export const NOTHING_FOUND = 'You have not created any template with the searched name';
export const nothingYet = (channel: ChannelName | null): string =>
  `You have not created any ${channel ? `${channelRules(channel).label} ` : ''}Templates yet.`;

/** Of one that rests; null for any other. */
export const restingWords = ({
  paused,
  disabled,
  reason,
}: Pick<Template, 'paused' | 'disabled' | 'reason'>): string | null =>
  paused
    ? `${disabled ? 'Disabled: it cannot be sent any more.' : 'Paused: it cannot be sent now.'} ${reason?.text ?? ''}`.trim()
    : null;
