import { Button, Modal, TextInput } from '@mantine/core';
import { useState } from 'react';
import styles from './Confirm.module.css';
import type { PendingConfirm } from './Confirm.tsx';

/** A default export because it is loaded lazily. */
export default function ConfirmDialog({ request }: { request: PendingConfirm | null }) {
  // The last request stays drawn while the dialog fades out.
  const [shown, setShown] = useState<PendingConfirm | null>(null);
  if (request && request !== shown) setShown(request);
  if (!shown) return null;
  return (
    <Modal opened={request !== null} onClose={() => request?.answer(false)} title={shown.title} size={440} zIndex={500}>
      <Question key={shown.title} request={shown} />
    </Modal>
  );
}

function Question({ request }: { request: PendingConfirm }) {
  const [text, setText] = useState('');
  const ready = !request.typed || text.trim() === request.typed;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) request.answer(true);
      }}
    >
      <div className={styles.loses}>{request.consequence}</div>
      {request.typed && (
        <TextInput
          className={styles.typed}
          label={`Type ${request.typed} to go on`}
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
          {...(request.typed ? {} : { 'data-autofocus': true })}
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
