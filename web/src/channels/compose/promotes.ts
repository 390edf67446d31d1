import type { ChannelName } from '@parley/contract/channels/names.ts';

/** Of a message with a button, where that is sent for something else than one without; see `fitsViberSession` of the contract. */
export const promotes = (channel: ChannelName): string | null =>
  channel === 'VIBER' ? 'With a button it goes as a promotional message, also within a session.' : null;
