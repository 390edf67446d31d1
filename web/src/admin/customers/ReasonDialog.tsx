import { Button, Modal, Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Buttons } from '../../ui/form/FormParts.tsx';
import styles from '../Admin.module.css';

export interface ReasonRequest {
  title: string;
  /** The effect of the action. */
  text: ReactNode;
  action: string;
  danger?: boolean;
  /** The people who can read the reason. */
  hint: string;
  onDone: (reason: string) => void;
}

interface ReasonDialogProps {
  request: ReasonRequest | null;
  busy: boolean;
  onClose: () => void;
  /** More fields, shown above the reason. */
  children?: ReactNode;
  minLength?: number;
}

/** Asks for a reason before an action that is recorded in the audit log. */
export function ReasonDialog({ request, busy, onClose, children, minLength = 3 }: ReasonDialogProps) {
  // Keeps the last request visible while the dialog fades out.
  const [shown, setShown] = useState<ReasonRequest | null>(null);
  if (request && request !== shown) setShown(request);
  if (!shown) return null;
  return (
    <Modal opened={request !== null} onClose={onClose} title={shown.title} size={460}>
      <ReasonForm key={shown.title} request={shown} busy={busy} onClose={onClose} minLength={minLength}>
        {children}
      </ReasonForm>
    </Modal>
  );
}

type ReasonFormProps = Omit<ReasonDialogProps, 'request' | 'minLength'> & { request: ReasonRequest; minLength: number };

function ReasonForm({ request, busy, onClose, minLength, children }: ReasonFormProps) {
  const [reason, setReason] = useState('');
  const [submitted, setSubmitted] = useState(false);
  const isShort = reason.trim().length < minLength;
  return (
    <form
      className={styles.panelForm}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setSubmitted(true);
        if (!isShort) request.onDone(reason.trim());
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
        error={submitted && isShort ? `Enter at least ${minLength} characters` : null}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <Buttons>
        <Button type="submit" loading={busy} {...(request.danger ? { color: 'red' } : {})}>
          {request.action}
        </Button>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
      </Buttons>
    </form>
  );
}
