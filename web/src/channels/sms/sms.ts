import { IconMessage2 } from '@tabler/icons-react';
import type { ChannelView } from '../channel.ts';
import './sms.css';

export const sms: ChannelView = {
  name: 'SMS',
  icon: IconMessage2,
  pitch: 'Reaches every phone.',
  offer: {
    description:
      'Reaches every phone without an app. Numbers work immediately; sender IDs and short codes need approval first.',
    requirements: 'Requires a number, a sender ID, or a short code.',
  },
  buttons: { reply: [], template: [], max_template: 0, template_hint: null, link_label: 'Website URL' },
  formatText: (text, plain) => plain?.(text) ?? text,
  BubbleBody: null,
};
