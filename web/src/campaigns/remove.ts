import { type Campaign, removeCampaign } from '@parley/contract/campaigns/campaigns.ts';
import { useAction } from '../kernel/http/query.ts';
import { useReason } from '../kernel/session/session.tsx';
import { confirm } from '../ui/feedback/Confirm.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';

export const removeReason = ({ status, counts }: Campaign): string | null =>
  status === 'in_progress' || counts.enroute > 0 ? 'Cancel it first: its messages are still on their way.' : null;

export function useRemoveCampaign(onDone?: () => void) {
  const action = useAction(removeCampaign, {
    onSuccess: () => {
      toast.success('The campaign was deleted');
      onDone?.();
    },
  });
  return {
    reason: useReason(removeCampaign.needs),
    async ask(campaign: Campaign) {
      const yes = await confirm({
        title: `Delete the campaign ${campaign.name}?`,
        consequence: campaign.start_date
          ? 'Its figures and list of recipients are lost. The messages stay in the log.'
          : 'What was prepared for it is lost.',
        action: 'Delete campaign',
        danger: true,
      });
      if (yes) action.mutate({ params: { id: campaign.id } });
    },
  };
}
