import { CHANNELS, type ChannelName, DEFAULT_CHANNEL } from '@parley/contract/channels/names.ts';
import { useLocation } from '@tanstack/react-router';
import { channelPath } from '../paths.ts';

/** The channel of the open page, which is the first part of its path. */
export function useRouteChannel(): ChannelName {
  const pathname = useLocation({ select: (location) => location.pathname });
  return CHANNELS.find((name) => pathname.startsWith(`${channelPath(name)}/`)) ?? DEFAULT_CHANNEL;
}
