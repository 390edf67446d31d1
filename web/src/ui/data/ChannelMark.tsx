import {
  IconBrandTelegram,
  IconBrandViber,
  IconBrandWhatsapp,
  IconDeviceMobileMessage,
  IconMessage2,
  IconPhone,
  type IconProps,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import styles from './ChannelMark.module.css';

const CHANNELS: Record<string, { label: string; icon: ComponentType<IconProps> }> = {
  SMS: { label: 'SMS', icon: IconMessage2 },
  WHATSAPP: { label: 'WhatsApp', icon: IconBrandWhatsapp },
  VIBER: { label: 'Viber', icon: IconBrandViber },
  VOICE: { label: 'Voice', icon: IconPhone },
  G_RCS: { label: 'Google RCS', icon: IconDeviceMobileMessage },
  TELEGRAM: { label: 'Telegram', icon: IconBrandTelegram },
};

export const channelLabel = (channel: string): string => CHANNELS[channel.toUpperCase()]?.label ?? channel;

interface ChannelMarkProps {
  channel: string;
  /** Shows the icon only; the name becomes its accessible name and tooltip. */
  iconOnly?: boolean;
}

export function ChannelMark({ channel, iconOnly = false }: ChannelMarkProps) {
  const key = channel.toUpperCase();
  const { label, icon: Icon } = CHANNELS[key] ?? { label: channel, icon: IconMessage2 };
  return (
    <span className={styles.root} {...(iconOnly ? { role: 'img', 'aria-label': label, title: label } : {})}>
      <span className={styles.mark} data-channel={key}>
        <Icon size={14} stroke={2} aria-hidden />
      </span>
      {!iconOnly && label}
    </span>
  );
}
