import type { IconProps } from '@tabler/icons-react';
import type { ComponentType } from 'react';
import styles from './ChannelMark.module.css';

interface ChannelMarkProps {
  /** The channel's name, which selects the color. */
  name: string;
  label: string;
  icon: ComponentType<IconProps>;
  /** Hides the label, which then becomes the accessible name. */
  iconOnly?: boolean;
}

export function ChannelMark({ name, label, icon: Icon, iconOnly = false }: ChannelMarkProps) {
  return (
    <span className={styles.root} {...(iconOnly ? { role: 'img', 'aria-label': label, title: label } : {})}>
      <span className={styles.mark} data-channel={name}>
        <Icon size={14} stroke={2} aria-hidden />
      </span>
      {!iconOnly && label}
    </span>
  );
}
