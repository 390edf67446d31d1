import type { Campaign } from '@parley/contract/campaigns/campaigns.ts';
import { updateCampaign } from '@parley/contract/campaigns/drafts.ts';
import { useAction } from '../kernel/http/query.ts';
import { toast } from '../ui/feedback/Toasts.tsx';
import { isWaitingForApproval } from './stage.ts';

const ARCHIVABLE: readonly Campaign['status'][] = ['in_complete', 'completed', 'failed', 'canceled'];

export const isArchivable = (campaign: Campaign): boolean =>
  campaign.archive_date !== null || (ARCHIVABLE.includes(campaign.status) && !isWaitingForApproval(campaign));

/** Archives the campaign, or returns it to the list. */
export function useArchive(): (campaign: Campaign) => void {
  const action = useAction(updateCampaign, {
    onSuccess: ({ data }) => toast.success(data.archive_date ? 'Campaign archived' : 'Campaign unarchived'),
  });
  return ({ id, archive_date }) => action.mutate({ params: { id }, body: { archived: archive_date === null } });
}
