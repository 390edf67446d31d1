/** The registry: every channel there is. */
import type { ChannelName } from '../common.ts';
import type { ChannelRules } from './channel.ts';
import { viber } from './viber/viber.ts';
import { whatsapp } from './whatsapp/whatsapp.ts';

const sms: ChannelRules = {
  name: 'SMS',
  label: 'SMS',
  types: ['text'],
  max_text: 1_000,
  max_buttons: 0,
  button_text: 0,
  counts: 'segments',
  charged_at: 'sent',
  carried_by: 'routes',
  session: null,
  other_addresses: false,
  reads: false,
};

const RULES: Readonly<Record<ChannelName, ChannelRules>> = { SMS: sms, VIBER: viber, WHATSAPP: whatsapp };

export const channelRules = (name: ChannelName): ChannelRules => RULES[name];
export const ALL_CHANNELS: readonly ChannelRules[] = Object.values(RULES);
