import { type Audience, removeAudience } from '@parley/contract/audiences/audiences.ts';
import { useAction } from '../../kernel/http/query.ts';
import { useReason } from '../../kernel/session/session.tsx';
import { formatCount } from '../../ui/data/format.ts';
import { confirm } from '../../ui/feedback/Confirm.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';

/** `leave`: out of what is about to go, before it is gone, so that its page is not asked for again. */
export function useRemoveAudience(leave?: () => Promise<void>) {
  const action = useAction(removeAudience, {
    invalidates: ['contacts'],
    onSuccess: () => toast.success('The audience was deleted'),
  });
  return {
    reason: useReason(removeAudience.needs),
    async ask({ id, name, contacts_count }: Audience) {
      const yes = await confirm({
        title: `Delete the audience ${name}?`,
        consequence:
          contacts_count === 0
            ? 'It has no contacts.'
            : `${formatCount(contacts_count, 'contact')} will be lost. Messages, conversations and the figures of past campaigns stay.`,
        action: 'Delete audience',
        danger: true,
      });
      if (!yes) return;
      await leave?.();
      action.mutate({ params: { id } });
    },
  };
}
