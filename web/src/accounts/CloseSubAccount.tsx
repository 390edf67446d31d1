/** Closes a sub-account after the user types its name and re-authenticates. */

import { Modal, TextInput } from '@mantine/core';
import { removeSubAccount, type SubAccount } from '@parley/contract/team/subaccounts.ts';
import { ReauthenticationForm } from '../auth/factors/ReauthenticationForm.tsx';
import { formatCount } from '../ui/data/format.ts';
import { toast } from '../ui/feedback/Toasts.tsx';
import { Field } from '../ui/form/Field.tsx';

interface CloseSubAccountProps {
  account: SubAccount | null;
  onDone: () => void;
  onCancel: () => void;
}

export function CloseSubAccount({ account, onDone, onCancel }: CloseSubAccountProps) {
  return (
    <Modal.Root opened={account !== null} onClose={onCancel} centered>
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Header>
          <Modal.Title>Close {account?.company_name}?</Modal.Title>
          <Modal.CloseButton aria-label="Close" />
        </Modal.Header>
        <Modal.Body>{account && <CloseForm account={account} onDone={onDone} onCancel={onCancel} />}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

function CloseForm({ account, onDone, onCancel }: CloseSubAccountProps & { account: SubAccount }) {
  const { id, company_name, users_count } = account;
  return (
    <>
      <p>
        {formatCount(users_count, 'user')} will lose access, API keys will stop working, and senders will be released.
        Personal data is erased after 30 days.
      </p>
      <ReauthenticationForm
        endpoint={removeSubAccount}
        action="Close sub-account"
        danger
        strict
        initial={{ confirmation: '' }}
        labels={{ confirmation: 'Company name' }}
        check={({ confirmation }) => ({
          confirmation: confirmation?.trim() === company_name ? null : `Type ${company_name}`,
        })}
        input={({ confirmation: _, ...body }) => ({ params: { id }, body })}
        fields={(form) => (
          <Field
            form={form}
            name="confirmation"
            as={TextInput}
            label="Company name"
            optional={false}
            description={`Type ${company_name} to confirm.`}
            autoComplete="off"
            data-autofocus
          />
        )}
        onDone={() => {
          toast.success(`${company_name} was closed`);
          onDone();
        }}
        onCancel={onCancel}
      />
    </>
  );
}
