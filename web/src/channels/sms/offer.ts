import type { ChannelOffer } from '../channel.ts';

export const sms: ChannelOffer = {
  name: 'SMS',
  pitch: 'Reaches every phone.',
  description:
    'Reaches every phone without an app. Numbers work immediately; sender IDs and short codes need approval first.',
  requirements: 'Requires a number, a sender ID, or a short code.',
};
