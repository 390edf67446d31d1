import { Button, Modal, TextInput } from '@mantine/core';
import { closeAccount } from '@parley/contract/accounts/company.ts';
import { useState } from 'react';
import { ReauthenticationForm } from '../../auth/factors/ReauthenticationForm.tsx';
import { impersonationReason } from '../../auth/impersonation.ts';
import { useSession, useSessionContext } from '../../kernel/session/session.tsx';
import { Disabled } from '../../ui/feedback/Disabled.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { Field } from '../../ui/form/Field.tsx';
import { Buttons } from '../../ui/form/FormParts.tsx';
import styles from '../Settings.module.css';

export function CloseAccount() {
  const { account, user } = useSession();
  const [open, setOpen] = useState(false);
  return (
    <>
      <p className={styles.dim}>
        Running campaigns will stop, users will be signed out, and numbers and senders will be released. Records
        required by law are kept. Personal data is erased after 30 days. Until then, support can reopen the account.
      </p>
      <Buttons>
        <Disabled reason={impersonationReason(user)}>
          <Button variant="default" color="red" onClick={() => setOpen(true)}>
            Close {account.company_name}
          </Button>
        </Disabled>
      </Buttons>
      <Modal.Root opened={open} onClose={() => setOpen(false)} centered>
        <Modal.Overlay />
        <Modal.Content>
          <Modal.Header>
            <Modal.Title>Close {account.company_name}?</Modal.Title>
            <Modal.CloseButton aria-label="Close" />
          </Modal.Header>
          <Modal.Body>
            <CloseForm onCancel={() => setOpen(false)} />
          </Modal.Body>
        </Modal.Content>
      </Modal.Root>
    </>
  );
}

function CloseForm({ onCancel }: { onCancel: () => void }) {
  const { account } = useSession();
  const { signOut } = useSessionContext();
  return (
    <ReauthenticationForm
      endpoint={closeAccount}
      action="Close account"
      danger
      strict
      initial={{ company_name: '' }}
      labels={{ company_name: 'Company name' }}
      fields={(form) => (
        <Field
          form={form}
          name="company_name"
          as={TextInput}
          label="Company name"
          optional={false}
          description={`Type ${account.company_name} to confirm.`}
          autoComplete="off"
          data-autofocus
        />
      )}
      onDone={() => {
        toast.success('The account was closed');
        void signOut();
      }}
      onCancel={onCancel}
    />
  );
}
