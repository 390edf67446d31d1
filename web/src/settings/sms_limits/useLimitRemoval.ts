import { type Limit, removeLimit } from '@parley/contract/guard/limits.ts';
import { useAction } from '../../kernel/http/query.ts';
import { useReason } from '../../kernel/session/session.tsx';
import { confirm } from '../../ui/feedback/Confirm.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';

export function useLimitRemoval(onRemoved?: () => void) {
  const reason = useReason(removeLimit);
  const action = useAction(removeLimit, { onSuccess: () => onRemoved?.() });
  const remove = async ({ id, block_traffic }: Pick<Limit, 'id' | 'block_traffic'>) => {
    const isConfirmed = await confirm({
      title: 'Delete this limit?',
      consequence: block_traffic
        ? 'It will no longer block messages. This cannot be undone.'
        : 'You will no longer be notified. This cannot be undone.',
      action: 'Delete limit',
      danger: true,
    });
    if (!isConfirmed) return;
    await action.mutateAsync({ params: { id } }).then(
      () => toast.success('Limit deleted'),
      () => {},
    );
  };
  return { remove, reason };
}
