import type { ChannelOffer } from '../channel.ts';

export const whatsapp: ChannelOffer = {
  name: 'WHATSAPP',
  pitch: 'Templates, images, and buttons, with read receipts.',
  description:
    'Conversations with images, files, and buttons. Start with an approved template, then write freely for ' +
    '24 hours after each reply.',
  requirements: 'Requires a number, business details, and a logo. The review takes 5-7 business days.',
};
