import { type Audience, removeAudience } from '@parley/contract/audiences.ts';
import { useAction } from '../kernel/query.ts';
import { useReason } from '../kernel/session.tsx';
import { confirm } from '../ui/Confirm.tsx';
import { formatCount } from '../ui/format.ts';
import { toast } from '../ui/Toasts.tsx';

export function useRemoveAudience(onDone?: () => void) {
  const action = useAction(removeAudience, {
    invalidates: ['contacts'],
    onSuccess: () => {
      toast.success('The audience was deleted');
      onDone?.();
    },
  });
  return {
    reason: useReason(removeAudience.needs),
    async ask({ id, name, contacts_count }: Audience) {
      const yes = await confirm({
        title: `Delete the audience ${name}?`,
        loses:
          contacts_count === 0
            ? 'It has no contacts.'
            : `Its ${formatCount(contacts_count, 'contact')} are lost. Messages, conversations and the figures of past campaigns stay.`,
        action: 'Delete audience',
        danger: true,
      });
      if (yes) action.mutate({ params: { id } });
    },
  };
}
