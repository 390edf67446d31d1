import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';

/** A sample button that represents any button. */
const BUTTON = { type: 'link', text: '-', value: '-' } as const;

/**
 * The notice shown when a button makes a message ineligible for the session on this channel; null on other channels.
 */
export function buttonNotice(channel: ChannelName): string | null {
  const { purposes } = channelRules(channel);
  const fits = purposes?.fitsSession({ media_type: null, buttons: [BUTTON] }, '-') ?? true;
  return fits ? null : 'A message with a button is promotional, even during a session.';
}
