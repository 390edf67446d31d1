/** What is open for this account today, most pressing first. Pure: facts in, things to do out. */
import type { Campaign } from '@parley/contract/campaigns/campaigns.ts';
import { reasonWords } from '../campaigns/words.ts';
import { campaignPath, editCampaignPath } from '../paths.ts';
import { formatCount } from '../ui/data/format.ts';

export interface OpenStep {
  key: string;
  title: string;
  text: string;
  action: string;
  href: string;
}

const MOST = 4;

/** Something stands still and only a person can move it on. */
export function openSteps(campaigns: readonly Campaign[]): OpenStep[] {
  const steps: OpenStep[] = [];
  for (const campaign of campaigns) {
    const { id, name, status } = campaign;
    if (status === 'paused' || status === 'error')
      steps.push({
        key: `stands ${id}`,
        title: status === 'paused' ? `“${name}” is paused` : `“${name}” has stopped`,
        text: `${reasonWords(campaign) ?? 'Resume it when you are ready'}.`,
        action: 'Open campaign',
        href: campaignPath(campaign),
      });
  }
  for (const campaign of campaigns)
    if (campaign.retryable > 0 && ['completed', 'failed'].includes(campaign.status))
      steps.push({
        key: `retry ${campaign.id}`,
        title: `${formatCount(campaign.retryable, 'person', 'people')} of “${campaign.name}” can be tried again`,
        text: 'Their messages failed for a reason that may have passed. Nothing was charged for them.',
        action: 'Open campaign',
        href: campaignPath(campaign),
      });
  for (const campaign of campaigns)
    if (campaign.status === 'in_complete')
      steps.push({
        key: `draft ${campaign.id}`,
        title: `“${campaign.name}” is still a draft`,
        text: 'It was saved as it was left; nothing has been sent.',
        action: 'Finish it',
        href: editCampaignPath(campaign),
      });
  return steps.slice(0, MOST);
}

export interface FirstStep {
  key: 'contacts' | 'campaign' | 'replies';
  done: boolean;
}

/** Day one. Null once a campaign has been started: from then on there is more to say than how to begin. */
export function firstSteps(steps: Readonly<Record<string, boolean>>): FirstStep[] | null {
  if (steps.campaign) return null;
  return [
    { key: 'contacts', done: steps.contacts === true },
    { key: 'campaign', done: false },
    { key: 'replies', done: steps.replies === true },
  ];
}
