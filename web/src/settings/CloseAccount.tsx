import { Button, Modal, PasswordInput, TextInput } from '@mantine/core';
import { closeAccount } from '@parley/contract/company.ts';
import { useState } from 'react';
import { useContractForm } from '../kernel/form.ts';
import { useSession, useSessionContext } from '../kernel/session.tsx';
import { Disabled } from '../ui/Disabled.tsx';
import { Buttons, FormFoot } from '../ui/FormParts.tsx';
import { toast } from '../ui/Toasts.tsx';
import { enteredReason } from './entered.ts';
import styles from './Settings.module.css';

export function CloseAccount() {
  const { account, user } = useSession();
  const [open, setOpen] = useState(false);
  return (
    <>
      <p className={styles.dim}>
        Campaigns that run are stopped, colleagues are signed out, and numbers and senders are given back. What the law
        asks us to keep stays; personal data is erased after 30 days, and until then support can open the account again.
      </p>
      <Buttons>
        <Disabled reason={enteredReason(user)}>
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
  const { account, user } = useSession();
  const { signOut } = useSessionContext();
  const { form, onSubmit, sending, problem } = useContractForm(closeAccount, {
    initial: { company_name: '', ...(user.has_password ? { current_password: '' } : {}) },
    labels: { company_name: 'Company name', current_password: 'Password' },
    guard: false,
    onDone: () => {
      toast.success('The account is closed');
      void signOut();
    },
  });
  return (
    <form className={styles.form} onSubmit={onSubmit} noValidate>
      <TextInput
        label="Company name"
        description={`To be sure, type ${account.company_name}.`}
        required
        autoComplete="off"
        data-autofocus
        key={form.key('company_name')}
        {...form.getInputProps('company_name')}
      />
      {user.has_password && (
        <PasswordInput
          label="Your password"
          required
          autoComplete="current-password"
          key={form.key('current_password')}
          {...form.getInputProps('current_password')}
        />
      )}
      <FormFoot problem={problem}>
        <Button type="submit" color="red" loading={sending}>
          Close account
        </Button>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </FormFoot>
    </form>
  );
}
