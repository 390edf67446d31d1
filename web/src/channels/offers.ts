/** The texts of the pages that offer channels. Only these pages load them. */
import type { ChannelOffer } from './channel.ts';
import { sms } from './sms/offer.ts';
import { viber } from './viber/offer.ts';
import { whatsapp } from './whatsapp/offer.ts';

const OFFERS: readonly ChannelOffer[] = [sms, whatsapp, viber];

/** The default offer of a channel without its own. */
const PLAIN: Omit<ChannelOffer, 'name'> = {
  pitch: 'Messages to your customers.',
  description: 'Messages to your customers.',
  requirements: 'Requires a sender.',
};

export const channelOffer = (channel: string): Omit<ChannelOffer, 'name'> =>
  OFFERS.find(({ name }) => name === channel) ?? PLAIN;
