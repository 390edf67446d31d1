/** Actions on a sub-account: switch to it, block it, and unblock it, with their confirmations. */
import { type SubAccount, updateSubAccount } from '@parley/contract/team/subaccounts.ts';
import { useAction } from '../kernel/http/query.ts';
import { useSession } from '../kernel/session/session.tsx';
import { formatCount } from '../ui/data/format.ts';
import { confirm } from '../ui/feedback/Confirm.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';
import { useSwitchCompany } from './switch.ts';

export function useSubAccountActions() {
  const { user } = useSession();
  const change = useSwitchCompany();
  const update = useAction(updateSubAccount);
  return {
    /** The user of the sub-account that is being opened. */
    entering: change.pending,
    enterReason(account: SubAccount): string | null {
      if (user.impersonation) return 'Leave the current account first.';
      return account.status === 'BLOCKED' ? 'This sub-account is blocked. Unblock it first.' : null;
    },
    enter: ({ owner_user_id, company_name }: SubAccount) =>
      change.switchTo({ user_id: owner_user_id, company_name, relation: 'sub_account' }),
    async block({ id, company_name, users_count }: SubAccount) {
      const confirmed = await confirm({
        title: `Block ${company_name}?`,
        consequence:
          `${formatCount(users_count, 'user')} will be signed out, API keys will stop working, and campaigns will ` +
          'pause. No data is lost, and you can unblock the sub-account at any time.',
        action: 'Block sub-account',
        danger: true,
      });
      if (confirmed)
        update.mutate(
          { params: { id }, body: { blocked: true } },
          { onSuccess: () => toast.success(`${company_name} is blocked`) },
        );
    },
    unblock({ id, company_name }: SubAccount) {
      update.mutate(
        { params: { id }, body: { blocked: false } },
        { onSuccess: () => toast.success(`${company_name} is unblocked`) },
      );
    },
  };
}
