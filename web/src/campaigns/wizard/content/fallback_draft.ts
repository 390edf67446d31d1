/** The stored fallbacks of a campaign as steps of the form. */
import type { Campaign } from '@parley/contract/campaigns/campaigns.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import type { FallbackStep } from '../../../channels/fallbacks/fallback_steps.ts';

/** The initial wait of a new step. */
export const FIRST_WAIT = { wait: 10, unit: 'minutes' } as const;

export const toSteps = (fallbacks: Campaign['fallbacks']): FallbackStep[] =>
  fallbacks.map(({ channel, from, trigger, wait_seconds, text, template, variables }, at) => ({
    key: at + 1,
    channel: channel as ChannelName,
    from,
    trigger,
    ...(wait_seconds !== null && wait_seconds % 60 === 0
      ? ({ wait: wait_seconds / 60, unit: 'minutes' } as const)
      : ({ wait: wait_seconds ?? FIRST_WAIT.wait, unit: 'seconds' } as const)),
    source: template ? 'template' : 'other',
    text,
    template: template ? { text, template, variables } : null,
  }));
