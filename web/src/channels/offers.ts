/** What the pages that offer channels say about them. Only these pages load the texts. */
import { sms } from './sms/offer.ts';
import { viber } from './viber/offer.ts';
import { whatsapp } from './whatsapp/offer.ts';

export interface ChannelOffer {
  /** A one-line pitch for the channel's card on *Try it now*. */
  readonly pitch: string;
  /** The channel's card on *Add channel*: what the channel does, and what the customer needs for it. */
  readonly description: string;
  readonly requirements: string;
}

const OFFERS: Readonly<Record<string, ChannelOffer>> = { SMS: sms, WHATSAPP: whatsapp, VIBER: viber };

const PLAIN: ChannelOffer = {
  pitch: 'Messages to your customers.',
  description: 'Messages to your customers.',
  requirements: 'Requires a sender.',
};

export const channelOffer = (channel: string): ChannelOffer => OFFERS[channel] ?? PLAIN;
