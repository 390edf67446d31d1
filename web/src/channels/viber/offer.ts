import type { ChannelOffer } from '../channel.ts';

export const viber: ChannelOffer = {
  name: 'VIBER',
  pitch: 'Rich messages from your verified business name.',
  description: 'Messages with images and a button under your business name. You pay only for delivered messages.',
  requirements: 'Requires business details, a signed letter, and a logo. The review takes 5-7 business days.',
};
