import type { Campaign } from '@parley/contract/campaigns/campaigns.ts';

/** A campaign that has never started can still be changed in every respect. */
export const isEditable = (campaign: Pick<Campaign, 'status' | 'start_date'>): boolean =>
  campaign.start_date === null && campaign.status !== 'canceled';
