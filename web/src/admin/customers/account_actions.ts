/** Operator actions on an account and its users, with their confirmations and toasts. */
import { blockCustomer, blockCustomerUser, type Customer, reopenCustomer } from '@parley/contract/admin/customers.ts';
import type { TeamUser } from '@parley/contract/team/team.ts';
import { useState } from 'react';
import { useAction } from '../../kernel/http/query.ts';
import { confirm } from '../../ui/feedback/Confirm.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import type { ReasonRequest } from './ReasonDialog.tsx';

const REASON_HINT = 'Recorded in the customer’s audit log, where the account owner can read it.';
const BLOCK_ACCOUNT =
  'All users of the company and its sub-accounts will be signed out, their API keys will stop working, and sending ' +
  'will stop. The owner will get an email with your reason.';
const UNBLOCK_ACCOUNT =
  'All users will be able to sign in again, and the account will return to its previous status. The owner will be ' +
  'notified by email.';
const BLOCK_USER =
  'The user will be signed out and cannot sign in until an operator unblocks them. Their company cannot unblock them.';

const userName = ({ full_name, email }: TeamUser): string => full_name.trim() || email;

export function useAccountActions() {
  const [reasonRequest, setReasonRequest] = useState<ReasonRequest | null>(null);
  const close = () => setReasonRequest(null);
  const block = useBlockAccount(setReasonRequest, close);
  const blockUser = useBlockUser(setReasonRequest, close);
  const reopen = useReopenAccount();
  return {
    reasonRequest,
    close,
    busy: block.isPending || blockUser.isPending,
    reopening: reopen.isPending,
    block: block.start,
    blockUser: blockUser.start,
    reopen: reopen.start,
  };
}

type RequestReason = (request: ReasonRequest) => void;

function useBlockAccount(requestReason: RequestReason, onDone: () => void) {
  const { mutate, isPending } = useAction(blockCustomer, { invalidates: ['reviews'], onSuccess: onDone });
  const start = ({ id, company_name, status }: Customer) => {
    const blocked = status !== 'BLOCKED';
    requestReason({
      title: blocked ? `Block ${company_name}?` : `Unblock ${company_name}?`,
      text: blocked ? BLOCK_ACCOUNT : UNBLOCK_ACCOUNT,
      action: blocked ? 'Block account' : 'Unblock account',
      danger: blocked,
      hint: REASON_HINT,
      onDone: (reason) =>
        mutate(
          { params: { id }, body: { blocked, reason } },
          { onSuccess: () => toast.success(`${company_name} is ${blocked ? 'blocked' : 'unblocked'}`) },
        ),
    });
  };
  return { start, isPending };
}

function useBlockUser(requestReason: RequestReason, onDone: () => void) {
  const { mutate, isPending } = useAction(blockCustomerUser, { onSuccess: onDone });
  const start = (user: TeamUser) => {
    const blocked = !user.blocked;
    const name = userName(user);
    requestReason({
      title: blocked ? `Block ${name}?` : `Unblock ${name}?`,
      text: blocked ? BLOCK_USER : 'The user will be able to sign in again.',
      action: blocked ? 'Block user' : 'Unblock user',
      danger: blocked,
      hint: REASON_HINT,
      onDone: (reason) =>
        mutate(
          { params: { id: user.account_id, user_id: user.id }, body: { blocked, reason } },
          {
            onSuccess: ({ data }) => {
              if (blocked) toast.success(`${name} is blocked`);
              else if (data.blocked)
                toast.success(`The operator block was removed, but ${name} is still blocked by their company.`);
              else toast.success(`${name} can sign in again`);
            },
          },
        ),
    });
  };
  return { start, isPending };
}

function useReopenAccount() {
  const { mutate, isPending } = useAction(reopenCustomer);
  const start = async ({ id, company_name }: Customer) => {
    const confirmed = await confirm({
      title: `Reopen ${company_name}?`,
      consequence:
        'Its users will be able to sign in again. API keys and invitations that were revoked when the account was ' +
        'closed will stay invalid.',
      action: 'Reopen account',
      danger: false,
    });
    if (!confirmed) return;
    mutate({ params: { id }, body: {} }, { onSuccess: () => toast.success(`${company_name} was reopened`) });
  };
  return { start, isPending };
}
