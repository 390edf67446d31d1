import { Button, Modal, Textarea } from '@mantine/core';
import type { TeamUser } from '@parley/contract/team/team.ts';
import { useState } from 'react';
import { Buttons } from '../ui/form/FormParts.tsx';
import styles from './Team.module.css';
import { userName } from './user_actions.ts';

interface BlockDialogProps {
  user: TeamUser | null;
  busy: boolean;
  onClose: () => void;
  onBlock: (user: TeamUser, reason: string) => void;
}

export function BlockDialog({ user, busy, onClose, onBlock }: BlockDialogProps) {
  // Keeps the last user visible while the dialog fades out.
  const [shown, setShown] = useState<TeamUser | null>(null);
  if (user && user !== shown) setShown(user);
  if (!shown) return null;
  return (
    <Modal opened={user !== null} onClose={onClose} title={`Block ${userName(shown)}?`} size={440}>
      <BlockForm key={shown.id} user={shown} busy={busy} onClose={onClose} onBlock={onBlock} />
    </Modal>
  );
}

function BlockForm({ user, busy, onClose, onBlock }: Omit<BlockDialogProps, 'user'> & { user: TeamUser }) {
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
        The user will be signed out everywhere and cannot sign in until someone unblocks them. Their data is kept.
      </p>
      <Textarea
        label="Reason"
        description="Visible to your team, not to the user."
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
