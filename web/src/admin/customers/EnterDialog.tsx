/**
 * Asks for the reason and the user before an operator enters an account. The account opens in a new tab, using a
 * one-time link that is valid for a minute.
 */
import { Select } from '@mantine/core';
import {
  type Customer,
  createAuthSession,
  IMPERSONATION_MINUTES,
  listCustomerUsers,
} from '@parley/contract/admin/customers.ts';
import { useState } from 'react';
import { useAction, useEndpoint } from '../../kernel/http/query.ts';
import { useReason } from '../../kernel/session/session.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { ReasonDialog } from './ReasonDialog.tsx';

const ACCESS =
  'You can see and do everything this user can, except for API keys and personal security settings. ' +
  `The session ends after ${IMPERSONATION_MINUTES} minutes.`;

interface EnterDialogProps {
  customer: Customer;
  /** The user to act as, preselected. Null is the owner; undefined closes the dialog. */
  user_id: string | null | undefined;
  onClose: () => void;
}

export function EnterDialog({ customer, user_id, onClose }: EnterDialogProps) {
  const open = user_id !== undefined;
  const canListUsers = useReason(listCustomerUsers.needs) === null;
  const users = useEndpoint(
    listCustomerUsers,
    { params: { id: customer.id }, query: { page_size: 300 } },
    { enabled: open && canListUsers },
  ).data?.data;
  const [chosen, setChosen] = useState<string | null>(null);
  const create = useAction(createAuthSession);
  const close = () => {
    setChosen(null);
    onClose();
  };
  const enter = (reason: string) => {
    const target = chosen ?? user_id;
    // The tab opens during the click. If it opened later, the browser would block it as a pop-up.
    const tab = window.open('about:blank', '_blank');
    if (tab) tab.opener = null;
    create.mutate(
      { body: { account_id: customer.id, reason, ...(target ? { user_id: target } : {}) } },
      {
        onSuccess: ({ data }) => {
          if (tab) tab.location.replace(data.url);
          else toast.error('Your browser blocked the new tab. Allow pop-ups for this site and try again.');
          close();
        },
        onError: () => tab?.close(),
      },
    );
  };
  const eligible = (users ?? []).filter((user) => !user.blocked && user.status !== 'NEW');
  const owner = eligible.find((user) => user.is_owner);
  return (
    <ReasonDialog
      request={
        open
          ? {
              title: `Enter ${customer.company_name}?`,
              text: ACCESS,
              action: 'Enter account',
              hint: 'Shown with your name in the customer’s audit log.',
              onDone: enter,
            }
          : null
      }
      busy={create.isPending}
      onClose={close}
      minLength={5}
    >
      {eligible.length > 1 && (
        <Select
          label="Act as"
          data={eligible.map((user) => ({
            value: user.id,
            label: `${user.full_name.trim() || user.email}${user.is_owner ? ' (owner)' : ''}`,
          }))}
          value={chosen ?? user_id ?? owner?.id ?? null}
          onChange={setChosen}
          allowDeselect={false}
        />
      )}
    </ReasonDialog>
  );
}
