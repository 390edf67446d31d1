import { IconBrandViber } from '@tabler/icons-react';
import type { ChannelView } from '../channel.ts';
import './viber.css';

export const viber: ChannelView = {
  name: 'VIBER',
  icon: IconBrandViber,
  buttons: {
    reply: ['link'],
    template: ['link'],
    max_template: 1,
    template_hint: null,
    link_label: 'Button action URL',
  },
  formatText: (text, plain) => plain?.(text) ?? text,
};
