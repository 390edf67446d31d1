/** The registry of the channels' views, and the label and icon of any channel. */
import { CHANNEL_LABELS } from '@parley/contract/channels/names.ts';
import {
  IconBrandTelegram,
  IconDeviceMobileMessage,
  IconMessage2,
  IconPhone,
  type IconProps,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { ChannelView } from './channel.ts';
import { sms } from './sms/sms.ts';
import { viber } from './viber/viber.ts';
import { whatsapp } from './whatsapp/whatsapp.ts';

const VIEWS: readonly ChannelView[] = [sms, whatsapp, viber];

/** The default view for a channel without its own: plain text, and links as buttons. */
const PLAIN: Omit<ChannelView, 'name'> = {
  icon: IconMessage2,
  buttons: { reply: ['link'], template: ['link'], max_template: 1, template_hint: null, link_label: 'Website URL' },
  formatText: (text, plain) => plain?.(text) ?? text,
};

export const channelView = (channel: string): Omit<ChannelView, 'name'> =>
  VIEWS.find(({ name }) => name === channel) ?? PLAIN;

interface Mark {
  label: string;
  icon: ComponentType<IconProps>;
}

/** Channels that appear in the inbox but that Parley cannot send through. */
const OTHER_CHANNELS: Readonly<Record<string, Mark>> = {
  VOICE: { label: 'Voice', icon: IconPhone },
  G_RCS: { label: 'Google RCS', icon: IconDeviceMobileMessage },
  TELEGRAM: { label: 'Telegram', icon: IconBrandTelegram },
};

/** A channel's label and icon, given its name in upper or lower case. */
export function channelMark(channel: string): Mark {
  const key = channel.toUpperCase();
  const label: string | undefined = (CHANNEL_LABELS as Readonly<Record<string, string>>)[key];
  return {
    label: label ?? OTHER_CHANNELS[key]?.label ?? channel,
    icon: OTHER_CHANNELS[key]?.icon ?? channelView(key).icon,
  };
}

export const channelLabel = (channel: string): string => channelMark(channel).label;

/** The channels that a company can select as interests, with their labels. */
export const CHANNEL_INTERESTS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(CHANNEL_LABELS).map(([name, label]) => [name.toLowerCase(), label]),
);
