import type { Campaign } from '@parley/contract/campaigns/campaigns.ts';

/** A campaign is fully editable until it starts. */
export const isEditable = (campaign: Pick<Campaign, 'status' | 'start_date'>): boolean =>
  campaign.start_date === null && campaign.status !== 'canceled' && campaign.status !== 'completed';
