import { type Campaign, removeCampaign } from '@parley/contract/campaigns/campaigns.ts';
import { useAction } from '../kernel/http/query.ts';
import { useReason } from '../kernel/session/session.tsx';
import { confirm } from '../ui/feedback/Confirm.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';

export const removeReason = ({ status, counts }: Campaign): string | null =>
  status === 'in_progress' || counts.enroute > 0
    ? 'Cancel the campaign first. Some messages are still being sent.'
    : null;

export const removeQuestion = (rows: string) => ({
  title: `Delete ${rows}?`,
  consequence:
    'Their statistics and recipient lists will be deleted. The messages stay in the log. Campaigns in progress are ' +
    'kept.',
  action: `Delete ${rows}`,
});

export function useRemoveCampaign(onDone?: () => void) {
  const action = useAction(removeCampaign, {
    onSuccess: () => {
      toast.success('Campaign deleted');
      onDone?.();
    },
  });
  return {
    reason: useReason(removeCampaign.needs),
    async confirmRemove(campaign: Campaign) {
      const confirmed = await confirm({
        title: `Delete the campaign “${campaign.name}”?`,
        consequence: campaign.start_date
          ? 'Its statistics and recipient list will be deleted. The messages stay in the log.'
          : 'The draft will be deleted.',
        action: 'Delete campaign',
        danger: true,
      });
      if (confirmed) action.mutate({ params: { id: campaign.id } });
    },
  };
}
