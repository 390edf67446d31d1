/** The stage of a campaign: its status, or its approval while the campaign is a draft. */

import { APPROVAL_STATUS } from '@parley/contract/campaigns/approval_words.ts';
import type { Campaign } from '@parley/contract/campaigns/campaigns.ts';
import { CAMPAIGN_STATUS } from '@parley/contract/campaigns/statuses.ts';
import type { StatusWord } from '@parley/contract/status.ts';

export const isWaitingForApproval = ({ approval }: Pick<Campaign, 'approval'>): boolean =>
  approval?.status === 'requested';

/** True if the campaign opens in the wizard. */
export const isDraft = (campaign: Pick<Campaign, 'approval' | 'status'>): boolean =>
  campaign.status === 'in_complete' && !isWaitingForApproval(campaign);

export function campaignStage({ status, approval }: Pick<Campaign, 'approval' | 'status'>): StatusWord {
  if (approval?.status === 'requested') return APPROVAL_STATUS.requested;
  if (approval?.status === 'declined' && status === 'in_complete') return APPROVAL_STATUS.declined;
  return CAMPAIGN_STATUS[status];
}
