import { IconBrandViber } from '@tabler/icons-react';
import type { ChannelView } from '../channel.ts';
import './viber.css';
import { BubbleBody } from './BubbleBody.tsx';

export const viber: ChannelView = {
  name: 'VIBER',
  icon: IconBrandViber,
  pitch: 'Rich messages from your verified business name.',
  offer: {
    description: 'Messages with images and a button under your business name. You pay only for delivered messages.',
    requirements: 'Requires business details, a signed letter, and a logo. The review takes 5-7 business days.',
  },
  buttons: {
    reply: ['link'],
    template: ['link'],
    max_template: 1,
    template_hint: null,
    link_label: 'Button action URL',
  },
  formatText: (text, plain) => plain?.(text) ?? text,
  BubbleBody,
};
