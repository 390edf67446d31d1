/** What operators do to an account and its people, with the words that come before and after. */
import { blockCustomer, blockCustomerUser, type Customer, reopenCustomer } from '@parley/contract/admin/customers.ts';
import type { TeamUser } from '@parley/contract/team/team.ts';
import { useState } from 'react';
import { useAction } from '../../kernel/http/query.ts';
import { confirm } from '../../ui/feedback/Confirm.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import type { ReasonRequest } from './ReasonDialog.tsx';

const KEPT = 'Stands in the customer’s log, which its owner can read.';
const personName = ({ full_name, email }: TeamUser): string => full_name.trim() || email;

export function useAccountActs() {
  const [asked, setAsked] = useState<ReasonRequest | null>(null);
  const close = () => setAsked(null);
  const block = useAction(blockCustomer, { invalidates: ['reviews'], onSuccess: close });
  const blockUser = useAction(blockCustomerUser, { onSuccess: close });
  const reopen = useAction(reopenCustomer);
  return {
    asked,
    close,
    busy: block.isPending || blockUser.isPending,
    reopening: reopen.isPending,
    block({ id, company_name, status }: Customer) {
      const blocked = status !== 'BLOCKED';
      setAsked({
        title: blocked ? `Block ${company_name}?` : `Unblock ${company_name}?`,
        text: blocked
          ? 'Everybody of the company and of its sub-accounts is out within a second, its keys stop working and nothing more is sent. The owner is told by mail, with your reason.'
          : 'Everybody can sign in again and the account goes back to what it was before. The owner is told by mail.',
        action: blocked ? 'Block account' : 'Unblock account',
        danger: blocked,
        hint: KEPT,
        onDone: (reason) =>
          block.mutate(
            { params: { id }, body: { blocked, reason } },
            {
              onSuccess: () => toast.success(blocked ? `${company_name} is blocked` : `${company_name} is open again`),
            },
          ),
      });
    },
    blockUser(user: TeamUser) {
      const blocked = !user.blocked;
      const name = personName(user);
      setAsked({
        title: blocked ? `Block ${name}?` : `Unblock ${name}?`,
        text: blocked
          ? 'They are signed out within a second and cannot come back until an operator unblocks them. Nobody of the company can do that.'
          : 'They can sign in again.',
        action: blocked ? 'Block user' : 'Unblock user',
        danger: blocked,
        hint: KEPT,
        onDone: (reason) =>
          blockUser.mutate(
            { params: { id: user.account_id, user_id: user.id }, body: { blocked, reason } },
            {
              onSuccess: ({ data }) =>
                toast.success(
                  blocked
                    ? `${name} is blocked`
                    : data.blocked
                      ? `Our block of ${name} is lifted; their company’s own stays`
                      : `${name} can sign in again`,
                ),
            },
          ),
      });
    },
    async reopen({ id, company_name }: Customer) {
      const yes = await confirm({
        title: `Open ${company_name} again?`,
        consequence:
          'Its people can sign in as before. API keys and invitations that ended with the account stay ended.',
        action: 'Open account',
        danger: false,
      });
      if (yes)
        reopen.mutate(
          { params: { id }, body: {} },
          { onSuccess: () => toast.success(`${company_name} is open again`) },
        );
    },
  };
}
