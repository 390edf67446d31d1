import { type Audience, removeAudience } from '@parley/contract/audiences/audiences.ts';
import { useAction } from '../../kernel/http/query.ts';
import { useReason } from '../../kernel/session/session.tsx';
import { formatCount } from '../../ui/data/format.ts';
import { confirm } from '../../ui/feedback/Confirm.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';

/**
 * `leave` navigates away from the audience's page before the audience is deleted, so that the page does not refetch it.
 */
export function useRemoveAudience(leave?: () => Promise<void>) {
  const action = useAction(removeAudience, {
    invalidates: ['contacts'],
    onSuccess: () => toast.success('Audience deleted'),
  });
  return {
    reason: useReason(removeAudience.needs),
    async confirmRemove({ id, name, contacts_count }: Audience) {
      const confirmed = await confirm({
        title: `Delete the audience “${name}”?`,
        consequence:
          contacts_count === 0
            ? 'It has no contacts.'
            : `${formatCount(contacts_count, 'contact')} will be deleted. ` +
              'Messages, conversations, and the statistics of past campaigns are kept.',
        action: 'Delete audience',
        danger: true,
      });
      if (!confirmed) return;
      await leave?.();
      action.mutate({ params: { id } });
    },
  };
}
