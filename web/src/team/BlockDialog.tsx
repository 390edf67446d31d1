import { Button, Modal, Textarea } from '@mantine/core';
import type { TeamUser } from '@parley/contract/team/team.ts';
import { useState } from 'react';
import { Buttons } from '../ui/form/FormParts.tsx';
import { nameOf } from './acts.ts';
import styles from './Team.module.css';

export interface BlockDialogProps {
  user: TeamUser | null;
  busy: boolean;
  onClose: () => void;
  onBlock: (user: TeamUser, reason: string) => void;
}

export function BlockDialog({ user, busy, onClose, onBlock }: BlockDialogProps) {
  // The last one stays drawn while the dialog fades out.
  const [shown, setShown] = useState<TeamUser | null>(null);
  if (user && user !== shown) setShown(user);
  if (!shown) return null;
  return (
    <Modal opened={user !== null} onClose={onClose} title={`Block ${nameOf(shown)}?`} size={440}>
      <Question key={shown.id} user={shown} busy={busy} onClose={onClose} onBlock={onBlock} />
    </Modal>
  );
}

function Question({ user, busy, onClose, onBlock }: Omit<BlockDialogProps, 'user'> & { user: TeamUser }) {
  const [reason, setReason] = useState('');
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        onBlock(user, reason.trim());
      }}
    >
      <p className={styles.hint}>
        They are signed out everywhere within a second and cannot come back until somebody unblocks them. Nothing of
        theirs is lost.
      </p>
      <Textarea
        label="Reason"
        description="For your colleagues; the person does not see it."
        maxLength={300}
        autosize
        minRows={2}
        data-autofocus
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <Buttons>
        <Button type="submit" color="red" loading={busy}>
          Block user
        </Button>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
      </Buttons>
    </form>
  );
}
