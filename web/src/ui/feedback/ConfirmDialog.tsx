import { Button, Modal, TextInput } from '@mantine/core';
import { useState } from 'react';
import styles from './Confirm.module.css';
import type { PendingConfirm } from './confirm_request.ts';

/** The confirmation dialog. A default export, because it is loaded lazily. */
export default function ConfirmDialog({ request }: { request: PendingConfirm | null }) {
  // The last request stays visible while the dialog closes.
  const [displayed, setDisplayed] = useState<PendingConfirm | null>(null);
  if (request && request !== displayed) setDisplayed(request);
  if (!displayed) return null;
  return (
    <Modal
      opened={request !== null}
      onClose={() => request?.answer(false)}
      title={displayed.title}
      size={440}
      zIndex={500}
    >
      <Question key={displayed.title} request={displayed} />
    </Modal>
  );
}

function Question({ request }: { request: PendingConfirm }) {
  const [text, setText] = useState('');
  const ready = !request.requiredText || text.trim() === request.requiredText;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) request.answer(true);
      }}
    >
      <div className={styles.consequence}>{request.consequence}</div>
      {request.requiredText && (
        <TextInput
          className={styles.typed}
          label={`Type ${request.requiredText} to confirm`}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          autoComplete="off"
          data-autofocus
        />
      )}
      <div className={styles.buttons}>
        <Button
          variant="default"
          onClick={() => request.answer(false)}
          {...(request.requiredText ? {} : { 'data-autofocus': true })}
        >
          {request.cancel ?? 'Cancel'}
        </Button>
        <Button type="submit" disabled={!ready} {...(request.danger === false ? {} : { color: 'red' })}>
          {request.action}
        </Button>
      </div>
    </form>
  );
}
