/** Texts for template lists. */
import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import type { Template } from '@parley/contract/templates/templates.ts';

/** This delay is defined in section 9 of the specification. */
export const SEARCH_DEBOUNCE_MS = 700;

/** These exact texts are defined in section 2 of the specification. */
export const NO_TEMPLATE_FOUND = 'You have not created any template with the searched name';
export const noTemplatesYet = (channel: ChannelName | null): string =>
  `You have not created any ${channel ? `${channelRules(channel).label} ` : ''}Templates yet.`;

/** Why an approved template cannot be sent now; null when it can. */
export const pausedReason = ({
  paused,
  disabled,
  reason,
}: Pick<Template, 'paused' | 'disabled' | 'reason'>): string | null =>
  paused
    ? [disabled ? 'Disabled: it can no longer be sent.' : 'Paused: it cannot be sent now.', reason?.text]
        .join(' ')
        .trim()
    : null;
