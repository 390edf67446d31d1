/** The way into a customer's account: why, and in whose name. It opens in a tab of its own, by a key that works once and for a minute. */
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

export interface EnterDialogProps {
  customer: Customer;
  /** In whose name to begin with; null: the owner. Undefined while nobody asks. */
  user_id: string | null | undefined;
  onClose: () => void;
}

export function EnterDialog({ customer, user_id, onClose }: EnterDialogProps) {
  const open = user_id !== undefined;
  const mayUsers = useReason(listCustomerUsers.needs) === null;
  const users = useEndpoint(
    listCustomerUsers,
    { params: { id: customer.id }, query: { page_size: 300 } },
    { enabled: open && mayUsers },
  ).data?.data;
  const [chosen, setChosen] = useState<string | null>(null);
  const create = useAction(createAuthSession);
  const close = () => {
    setChosen(null);
    onClose();
  };
  const enter = (reason: string) => {
    const given = chosen ?? user_id;
    // Asked for while the click is still the click: later the browser would take it for an advertisement.
    const tab = window.open('about:blank', '_blank');
    if (tab) tab.opener = null;
    create.mutate(
      { body: { account_id: customer.id, reason, ...(given ? { user_id: given } : {}) } },
      {
        onSuccess: ({ data }) => {
          if (tab) tab.location.replace(data.url);
          else toast.error('The browser kept the new tab from opening. Allow it for this site and try again.');
          close();
        },
        onError: () => tab?.close(),
      },
    );
  };
  const people = (users ?? []).filter((user) => !user.blocked && user.status !== 'NEW');
  const owner = people.find((user) => user.is_owner);
  return (
    <ReasonDialog
      request={
        open
          ? {
              title: `Enter ${customer.company_name}?`,
              text: `You see and do what this person sees and does, but not their keys and nothing that is for them alone. It ends by itself after ${IMPERSONATION_MINUTES} minutes.`,
              action: 'Enter account',
              hint: 'The customer reads it, with your name, in their audit log.',
              onDone: enter,
            }
          : null
      }
      busy={create.isPending}
      onClose={close}
      least={5}
    >
      {people.length > 1 && (
        <Select
          label="In the name of"
          data={people.map((user) => ({
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
