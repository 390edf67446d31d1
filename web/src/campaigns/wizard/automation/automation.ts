/** Checks and describes the trigger of an automation. */
import type { CampaignTrigger } from '@parley/contract/campaigns/triggers.ts';

/** The field that the user still has to select; null if nothing is missing. */
export function missingPart({ on, field, campaign_id, keyword_id }: CampaignTrigger): string | null {
  if (on === 'date' && !field) return 'Date field is required!';
  if (on === 'no_reply' && !campaign_id) return 'Campaign is required!';
  return on === 'keyword' && !keyword_id ? 'Keyword is required!' : null;
}

export const isComplete = (trigger: CampaignTrigger): boolean => missingPart(trigger) === null;
