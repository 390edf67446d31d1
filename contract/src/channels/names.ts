/**
 * The labels of all channels, keyed by their names in the API and the database. Every page of the web app loads this
 * file, so it contains nothing else; `index.ts` registers the rules of the channels.
 */

/** Listed in the order of menus and lists. */
export const CHANNEL_LABELS = { SMS: 'SMS', WHATSAPP: 'WhatsApp', VIBER: 'Viber' } as const;
export type ChannelName = keyof typeof CHANNEL_LABELS;
export const CHANNELS = Object.keys(CHANNEL_LABELS) as [ChannelName, ...ChannelName[]];

/** Channels of conversations, in the order of the inbox filter. The last three have no rules and cannot send. */
export const INBOX_CHANNELS = [...CHANNELS, 'VOICE', 'G_RCS', 'TELEGRAM'] as const;

/** The channel that sends from phone numbers and delivers verification codes. */
export const PHONE_CHANNEL: ChannelName = 'SMS';
/** The channel of requests that do not name one. */
export const DEFAULT_CHANNEL: ChannelName = 'SMS';

/** The last segment of the template form's path in the web app. */
export const templateForm = (channel: ChannelName): string =>
  channel === DEFAULT_CHANNEL ? 'edit' : `${channel.toLowerCase()}-edit`;
