import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';

/** A button that stands for any other. */
const BUTTON = { type: 'link', text: '-', value: '-' } as const;

/** The notice of a message with a button on channels where a button excludes it from the session; null elsewhere. */
export function buttonNotice(channel: ChannelName): string | null {
  const { purposes } = channelRules(channel);
  const fits = purposes?.fitsSession({ media_type: null, buttons: [BUTTON] }, '-') ?? true;
  return fits ? null : 'A message with a button is promotional, even during a session.';
}
