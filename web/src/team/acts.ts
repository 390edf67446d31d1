/** Blocking, unblocking and deleting somebody: what stands in the way, and what is asked before. */
import { removeUser, type TeamUser, updateUser } from '@parley/contract/team/team.ts';
import { useAction } from '../kernel/http/query.ts';
import { useReason, useSession } from '../kernel/session/session.tsx';
import { confirm } from '../ui/feedback/Confirm.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';

export const nameOf = ({ full_name, email }: Pick<TeamUser, 'full_name' | 'email'>): string =>
  full_name.trim() || email;

export function useUserActs(onGone?: () => void) {
  const { user: self } = useSession();
  const mayEdit = useReason(updateUser);
  const mayDelete = useReason(removeUser);
  const update = useAction(updateUser);
  const remove = useAction(removeUser, { invalidates: ['inbox'] });
  const untouchable = (user: TeamUser): string | null => {
    if (user.is_owner) return 'The owner cannot be blocked or deleted.';
    return user.id === self.id ? 'You cannot do this to yourself.' : null;
  };
  const byUs = (user: TeamUser): string | null =>
    user.blocked_by_operator ? 'They were blocked by our support, who alone can lift it.' : null;
  return {
    editReason: mayEdit,
    blockReason: (user: TeamUser) => mayEdit ?? untouchable(user) ?? byUs(user),
    deleteReason: (user: TeamUser) => mayDelete ?? untouchable(user) ?? byUs(user),
    busy: update.isPending || remove.isPending,
    block(user: TeamUser, block_reason: string, onDone: () => void) {
      update.mutate(
        { params: { id: user.id }, body: { blocked: true, block_reason } },
        {
          onSuccess: () => {
            toast.success(`${nameOf(user)} is blocked and signed out`);
            onDone();
          },
        },
      );
    },
    unblock(user: TeamUser) {
      update.mutate(
        { params: { id: user.id }, body: { blocked: false } },
        { onSuccess: () => toast.success(`${nameOf(user)} can sign in again`) },
      );
    },
    async remove(user: TeamUser) {
      const yes = await confirm({
        title: `Delete ${nameOf(user)}?`,
        consequence:
          'They are signed out at once and lose their access to this company. Conversations assigned to them become unassigned. What they sent and did stays in the logs under their name.',
        action: 'Delete user',
        danger: true,
      });
      if (!yes) return;
      remove.mutate(
        { params: { id: user.id } },
        {
          onSuccess: () => {
            toast.success(`${nameOf(user)} was deleted`);
            onGone?.();
          },
        },
      );
    },
  };
}
