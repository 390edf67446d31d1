/**
 * Every channel with its label, by its name in the API and in the database. Every page of the web app loads this file,
 * so it has no more than that; the descriptions of the channels are in `index.ts`.
 */

/** In the order of menus and lists. */
export const CHANNEL_LABELS = { SMS: 'SMS', WHATSAPP: 'WhatsApp', VIBER: 'Viber' } as const;
export type ChannelName = keyof typeof CHANNEL_LABELS;
export const CHANNELS = Object.keys(CHANNEL_LABELS) as [ChannelName, ...ChannelName[]];

/** The channel whose senders are phone numbers, and that carries verification codes. */
export const PHONE_CHANNEL: ChannelName = 'SMS';
/** The channel of a call that names none. */
export const DEFAULT_CHANNEL: ChannelName = 'SMS';

/** The last part of the address of the template form in the web app. */
export const templateForm = (channel: ChannelName): string =>
  channel === DEFAULT_CHANNEL ? 'edit' : `${channel.toLowerCase()}-edit`;
