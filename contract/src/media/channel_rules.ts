/** Limits for files on a channel. */
import { channelRules } from '../channels/index.ts';
import type { ChannelName } from '../channels/names.ts';
import { ANY_MEDIA, type MediaRule } from './rules.ts';
import type { MediaType } from './types.ts';

/**
 * Returns a channel's limits for a type of file. Without a channel, returns the limits that every channel with media
 * accepts.
 */
export const mediaRule = (type: MediaType, channel: ChannelName | null = null): MediaRule =>
  ((channel && channelRules(channel).media) ?? ANY_MEDIA)[type];
