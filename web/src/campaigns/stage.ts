/** A campaign's stage: its status, or its approval while the campaign is a draft. */

import { APPROVAL_STATUS } from '@parley/contract/campaigns/approval_words.ts';
import type { Campaign } from '@parley/contract/campaigns/campaigns.ts';
import { CAMPAIGN_STATUS } from '@parley/contract/campaigns/statuses.ts';
import { type StatusWord, statusWord } from '@parley/contract/status.ts';

export const isWaitingForApproval = ({ approval }: Pick<Campaign, 'approval'>): boolean =>
  approval?.status === 'requested';

/** True if the campaign opens in the wizard. */
export const isDraft = (campaign: Pick<Campaign, 'approval' | 'status'>): boolean =>
  campaign.status === 'in_complete' && !isWaitingForApproval(campaign);

/** True for a repeating campaign and for an automation, which are never sent themselves. */
export const hasRuns = ({ repeat, trigger, series_id }: Pick<Campaign, 'repeat' | 'trigger' | 'series_id'>): boolean =>
  repeat !== null || (trigger !== null && series_id === null);

export const seriesNoun = ({ trigger }: Pick<Campaign, 'trigger'>): 'series' | 'automation' =>
  trigger ? 'automation' : 'series';

const ACTIVE: StatusWord = statusWord('Active', 'ok', 'check');

export function campaignStage(campaign: Pick<Campaign, 'approval' | 'status' | 'trigger' | 'series_id'>): StatusWord {
  const { status, approval, trigger, series_id } = campaign;
  if (approval?.status === 'requested') return APPROVAL_STATUS.requested;
  if (approval?.status === 'declined' && status === 'in_complete') return APPROVAL_STATUS.declined;
  // A run of an automation is scheduled only until it starts.
  if (status === 'scheduled' && trigger && series_id === null) return ACTIVE;
  return CAMPAIGN_STATUS[status];
}
