/** Where campaigns live; the channel is the first word of the address. */
import type { Campaign } from '@parley/contract/campaigns/campaigns.ts';

const channelPath = (channel: string) => `/${channel.toLowerCase()}`;

export const listPath = (channel: string): string => `${channelPath(channel)}/my-campaigns`;
export const campaignPath = ({ channel, id }: Pick<Campaign, 'channel' | 'id'>): string =>
  `${channelPath(channel)}/my-campaigns/${id}`;
export const createPath = (channel: string): string => `${channelPath(channel)}/create-campaign`;
export const editPath = ({ channel, id }: Pick<Campaign, 'channel' | 'id'>): string =>
  `${createPath(channel)}?id=${id}`;
export const copyPath = ({ channel, id }: Pick<Campaign, 'channel' | 'id'>): string =>
  `${createPath(channel)}?copy=${id}`;

/** It has never started, so everything about it may still change. */
export const isEditable = (campaign: Pick<Campaign, 'status' | 'start_date'>): boolean =>
  campaign.start_date === null && campaign.status !== 'canceled';
