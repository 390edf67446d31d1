/** The IDs that people have on a channel, beside or instead of a phone number. */
import type { ChannelName } from './names.ts';

interface PersonIdRule {
  readonly label: string;
  /** Matches no phone number and no ID of another channel. */
  readonly pattern: RegExp;
  readonly example: string;
  /** The country in the ID; empty if it has none. */
  country(id: string): string;
}

export const PERSON_IDS: Readonly<Partial<Record<ChannelName, PersonIdRule>>> = {
  WHATSAPP: {
    label: 'WhatsApp ID',
    // A country, a dot, and letters and digits. WhatsApp gives a person another ID for each business.
    pattern: /^[A-Z]{2}\.[\w.-]{1,150}$/,
    example: 'US.13491208655302741918',
    country: (id) => id.slice(0, 2),
  },
  VIBER: {
    label: 'Viber ID',
    pattern: /^[A-Za-z0-9+/]{11,60}={1,2}$/,
    example: '01234567890A=',
    country: () => '',
  },
};

/** The channels that have person IDs. */
export const ID_CHANNELS = Object.keys(PERSON_IDS) as ChannelName[];

/** The name of the ID in files, such as `viber_id`. */
export const idColumn = (channel: ChannelName): string => `${channel.toLowerCase()}_id`;

/** The channel of an ID; null for phone numbers and names. */
export const idChannel = (address: string): ChannelName | null =>
  ID_CHANNELS.find((channel) => PERSON_IDS[channel]!.pattern.test(address)) ?? null;

/** A phone number with a plus sign, or an unchanged ID. */
export const showNumber = (number: string): string => (/^\d+$/.test(number) ? `+${number}` : number);
