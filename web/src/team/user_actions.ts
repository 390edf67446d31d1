/** Blocks, unblocks, and deletes users. Explains why an action is not available, and asks for confirmation. */
import { removeUser, type TeamUser, updateUser } from '@parley/contract/team/team.ts';
import { useAction } from '../kernel/http/query.ts';
import { useReason, useSession } from '../kernel/session/session.tsx';
import { confirm } from '../ui/feedback/Confirm.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';

export const userName = ({ full_name, email }: Pick<TeamUser, 'full_name' | 'email'>): string =>
  full_name.trim() || email;

export function useUserActions(onGone?: () => void) {
  const { user: self } = useSession();
  const editReason = useReason(updateUser);
  const removeReason = useReason(removeUser);
  const update = useAction(updateUser);
  const remove = useAction(removeUser, { invalidates: ['inbox'] });
  const protectedReason = (user: TeamUser): string | null => {
    if (user.is_owner) return 'The owner cannot be blocked or deleted.';
    return user.id === self.id ? 'You cannot block or delete yourself.' : null;
  };
  const operatorReason = (user: TeamUser): string | null =>
    user.blocked_by_operator ? 'Blocked by support. Only support can unblock this user.' : null;
  return {
    editReason,
    blockReason: (user: TeamUser) => editReason ?? protectedReason(user) ?? operatorReason(user),
    deleteReason: (user: TeamUser) => removeReason ?? protectedReason(user) ?? operatorReason(user),
    busy: update.isPending || remove.isPending,
    block(user: TeamUser, block_reason: string, onDone: () => void) {
      update.mutate(
        { params: { id: user.id }, body: { blocked: true, block_reason } },
        {
          onSuccess: () => {
            toast.success(`${userName(user)} is blocked and signed out`);
            onDone();
          },
        },
      );
    },
    unblock(user: TeamUser) {
      update.mutate(
        { params: { id: user.id }, body: { blocked: false } },
        { onSuccess: () => toast.success(`${userName(user)} can sign in again`) },
      );
    },
    async remove(user: TeamUser) {
      const confirmed = await confirm({
        title: `Delete ${userName(user)}?`,
        consequence:
          'The user will be signed out and lose access to this account. Conversations assigned to them will become ' +
          'unassigned. Their messages and actions stay in the logs.',
        action: 'Delete user',
        danger: true,
      });
      if (!confirmed) return;
      remove.mutate(
        { params: { id: user.id } },
        {
          onSuccess: () => {
            toast.success(`${userName(user)} was deleted`);
            onGone?.();
          },
        },
      );
    },
  };
}
