import { ChannelMark as Mark } from '../ui/data/ChannelMark.tsx';
import { channelMark } from './index.ts';

interface ChannelMarkProps {
  /** Its name, in any case. */
  channel: string;
  /** Without the label, which becomes the accessible name. */
  iconOnly?: boolean;
}

/** The icon of a channel in its color, with its label. */
export function ChannelMark({ channel, iconOnly = false }: ChannelMarkProps) {
  return <Mark name={channel.toUpperCase()} iconOnly={iconOnly} {...channelMark(channel)} />;
}
