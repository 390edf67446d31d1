import { MAX_BUTTONS_BY_TYPE, MAX_TEMPLATE_BUTTONS } from '@parley/contract/channels/whatsapp/limits.ts';
import { IconBrandWhatsapp } from '@tabler/icons-react';
import type { ChannelView } from '../channel.ts';
import './whatsapp.css';
import { formatText } from './formatting.tsx';

export const whatsapp: ChannelView = {
  name: 'WHATSAPP',
  icon: IconBrandWhatsapp,
  buttons: {
    reply: ['quick_reply', 'link'],
    template: ['quick_reply', 'link', 'phone_call'],
    max_template: MAX_TEMPLATE_BUTTONS,
    template_hint:
      `Up to ${MAX_TEMPLATE_BUTTONS} in total: ${MAX_BUTTONS_BY_TYPE.link} websites, ` +
      `${MAX_BUTTONS_BY_TYPE.phone_call} phone number, and the rest quick replies.`,
    link_label: 'Website URL',
  },
  formatText,
};
