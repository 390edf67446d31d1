import { type ApiKey, removeKey } from '@parley/contract/keys/keys.ts';
import { useAction } from '../kernel/http/query.ts';
import { useReason } from '../kernel/session/session.tsx';
import { confirm } from '../ui/feedback/Confirm.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';

export function useKeyRemoval(onRemoved?: () => void) {
  const reason = useReason(removeKey);
  const action = useAction(removeKey, { onSuccess: () => onRemoved?.() });
  const remove = async ({ id, name }: Pick<ApiKey, 'id' | 'name'>) => {
    const isConfirmed = await confirm({
      title: `Delete the API key “${name}”?`,
      consequence: 'Programs that use it lose access immediately. This cannot be undone.',
      action: 'Delete API key',
      danger: true,
    });
    if (!isConfirmed) return;
    await action.mutateAsync({ params: { id } }).then(
      () => toast.success(`The API key “${name}” was deleted`),
      () => {},
    );
  };
  return { remove, reason };
}
