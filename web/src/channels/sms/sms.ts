import { IconMessage2 } from '@tabler/icons-react';
import type { ChannelView } from '../channel.ts';
import './sms.css';

export const sms: ChannelView = {
  name: 'SMS',
  icon: IconMessage2,
  buttons: { reply: [], template: [], max_template: 0, template_hint: null, link_label: 'Website URL' },
  formatText: (text, plain) => plain?.(text) ?? text,
};
