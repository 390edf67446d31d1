import { Button, Modal } from '@mantine/core';
import styles from '../Inbox.module.css';

/** Why a conversation is no longer open to the user. */
export type Loss = 'unassigned' | 'deleted';

const WORDS: Readonly<Record<Loss, { title: string; text: string }>> = {
  unassigned: { title: 'Conversation unassigned', text: 'You can no longer read this conversation.' },
  deleted: { title: 'Conversation unavailable', text: 'You cannot access this conversation.' },
};

/** Notifies the user that the open conversation has been assigned to another user or deleted. */
export default function UnavailableDialog({ loss, onAcknowledge }: { loss: Loss; onAcknowledge: () => void }) {
  const { title, text } = WORDS[loss];
  return (
    <Modal opened onClose={onAcknowledge} title={title} withCloseButton={false} size="sm">
      <p className={styles.message}>{text}</p>
      <div className={styles.actions}>
        <Button onClick={onAcknowledge} data-autofocus>
          Acknowledge
        </Button>
      </div>
    </Modal>
  );
}
