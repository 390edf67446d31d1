import { Button, Modal, Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import styles from '../Admin.module.css';

export interface ReasonRequest {
  title: string;
  /** What will happen. */
  text: ReactNode;
  action: string;
  danger?: boolean;
  /** Who reads the reason. */
  hint: string;
  onDone: (reason: string) => void;
}

export interface ReasonDialogProps {
  request: ReasonRequest | null;
  busy: boolean;
  onClose: () => void;
  /** Above the reason: what else has to be chosen. */
  children?: ReactNode;
  least?: number;
}

/** Asks why, before something that is written into the log. */
export function ReasonDialog({ request, busy, onClose, children, least = 3 }: ReasonDialogProps) {
  // The last one stays drawn while the dialog fades out.
  const [shown, setShown] = useState<ReasonRequest | null>(null);
  if (request && request !== shown) setShown(request);
  if (!shown) return null;
  return (
    <Modal opened={request !== null} onClose={onClose} title={shown.title} size={460}>
      <Question key={shown.title} request={shown} busy={busy} onClose={onClose} least={least}>
        {children}
      </Question>
    </Modal>
  );
}

function Question({
  request,
  busy,
  onClose,
  least,
  children,
}: Omit<ReasonDialogProps, 'request'> & { request: ReasonRequest; least: number }) {
  const [reason, setReason] = useState('');
  const [tried, setTried] = useState(false);
  const short = reason.trim().length < least;
  return (
    <form
      className={styles.panelForm}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (!short) request.onDone(reason.trim());
      }}
    >
      <div className={styles.hint}>{request.text}</div>
      {children}
      <Textarea
        label="Reason"
        description={request.hint}
        required
        maxLength={300}
        autosize
        minRows={2}
        data-autofocus
        value={reason}
        error={tried && short ? `At least ${least} characters` : null}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <div className={styles.buttons}>
        <Button type="submit" loading={busy} {...(request.danger ? { color: 'red' } : {})}>
          {request.action}
        </Button>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
