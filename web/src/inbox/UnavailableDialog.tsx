import { Button, Modal } from '@mantine/core';
import styles from './Inbox.module.css';

/** Tells the user that another user deleted the open conversation. */
export default function UnavailableDialog({ onAcknowledge }: { onAcknowledge: () => void }) {
  return (
    <Modal opened onClose={onAcknowledge} title="Conversation unavailable" withCloseButton={false} size="sm">
      <p className={styles.message}>You cannot access this conversation.</p>
      <div className={styles.actions}>
        <Button onClick={onAcknowledge} data-autofocus>
          Acknowledge
        </Button>
      </div>
    </Modal>
  );
}
