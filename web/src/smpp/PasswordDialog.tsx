import { Button, Modal } from '@mantine/core';
import { replaceSmppPassword, type SmppAccount } from '@parley/contract/smpp/smpp.ts';
import { useState } from 'react';
import { useAction } from '../kernel/http/query.ts';
import { DEFAULT_GRACE_SECONDS, GraceSelect } from '../keys/GraceSelect.tsx';
import styles from '../keys/Keys.module.css';
import { Buttons } from '../ui/form/FormParts.tsx';
import { NewCredentials } from './NewCredentials.tsx';

interface PasswordDialogProps {
  account: SmppAccount;
  opened: boolean;
  onClose: () => void;
}

/** Asks how long the current password stays valid, then shows the new one. */
export function PasswordDialog({ account, opened, onClose }: PasswordDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={`Replace the password of “${account.name}”`} size={560}>
      <Replacement account={account} onClose={onClose} />
    </Modal>
  );
}

function Replacement({ account, onClose }: Omit<PasswordDialogProps, 'opened'>) {
  const [grace, setGrace] = useState(DEFAULT_GRACE_SECONDS);
  const replacement = useAction(replaceSmppPassword);
  if (replacement.data)
    return (
      <div className={styles.form}>
        <NewCredentials account={replacement.data.data} />
        <Buttons>
          <Button onClick={onClose}>Done</Button>
        </Buttons>
      </div>
    );
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        replacement.mutate({ params: { id: account.id }, body: { grace_seconds: grace } });
      }}
    >
      <p className={styles.hint}>
        Bound sessions stay bound. While both passwords work, programs can bind with either, so you can switch without
        interruption.
      </p>
      <GraceSelect noun="password" seconds={grace} onChange={setGrace} />
      <Buttons>
        <Button type="submit" loading={replacement.isPending}>
          Replace password
        </Button>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
      </Buttons>
    </form>
  );
}
