import { ChannelMark as Mark } from '../ui/data/ChannelMark.tsx';
import { channelMark } from './index.ts';

interface ChannelMarkProps {
  /** The channel's name, in upper or lower case. */
  channel: string;
  /** Hides the label, which then becomes the accessible name. */
  iconOnly?: boolean;
}

/** A channel's icon in the channel's color, with its label. */
export function ChannelMark({ channel, iconOnly = false }: ChannelMarkProps) {
  return <Mark name={channel.toUpperCase()} iconOnly={iconOnly} {...channelMark(channel)} />;
}
