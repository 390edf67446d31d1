import type { Campaign } from '@parley/contract/campaigns/campaigns.ts';

/** Everything about a campaign can be edited until it starts. */
export const isEditable = (campaign: Pick<Campaign, 'status' | 'start_date'>): boolean =>
  campaign.start_date === null && campaign.status !== 'canceled';
