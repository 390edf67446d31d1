/** The steps that need the user's action, most urgent first. Pure functions. */
import type { Campaign } from '@parley/contract/campaigns/campaigns.ts';
import { statusReason } from '../campaigns/status_reason.ts';
import { campaignPath, editCampaignPath } from '../paths.ts';
import { formatCount } from '../ui/data/format.ts';

export interface OpenStep {
  key: string;
  title: string;
  text: string;
  action: string;
  href: string;
}

const MAX_STEPS = 4;

/** Campaigns that need the user's action to continue: paused, stopped, and retryable campaigns, and drafts. */
export function openSteps(campaigns: readonly Campaign[]): OpenStep[] {
  const steps: OpenStep[] = [];
  for (const campaign of campaigns) {
    const { id, name, status } = campaign;
    if (status === 'paused' || status === 'error')
      steps.push({
        key: `stopped ${id}`,
        title: status === 'paused' ? `“${name}” is paused` : `“${name}” has stopped`,
        text: `${statusReason(campaign) ?? 'Resume it when you are ready'}.`,
        action: 'Open campaign',
        href: campaignPath(campaign),
      });
  }
  for (const campaign of campaigns)
    if (campaign.retryable > 0 && ['completed', 'failed'].includes(campaign.status))
      steps.push({
        key: `retry ${campaign.id}`,
        title: `You can retry ${formatCount(campaign.retryable, 'recipient')} in “${campaign.name}”`,
        text: 'Their messages failed for temporary reasons. You were not charged for them.',
        action: 'Open campaign',
        href: campaignPath(campaign),
      });
  for (const campaign of campaigns)
    if (campaign.status === 'in_complete' && campaign.approval?.status !== 'requested')
      steps.push({
        key: `draft ${campaign.id}`,
        title: `“${campaign.name}” is still a draft`,
        text: 'Your draft is saved. Nothing has been sent.',
        action: 'Finish campaign',
        href: editCampaignPath(campaign),
      });
  return steps.slice(0, MAX_STEPS);
}
