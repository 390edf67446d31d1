/**
 * `await confirm({...})` asks before something is lost. The title names the thing, `loses` says what goes with it, the button says what
 * will happen. Mounted once by Look; asking twice at once answers the first with no.
 */
import { Button, Modal, TextInput } from '@mantine/core';
import { type ReactNode, useState, useSyncExternalStore } from 'react';
import styles from './Confirm.module.css';

export interface ConfirmRequest {
  /** "Delete the audience Spring customers?" */
  title: string;
  /** What will be lost or happen, plainly. */
  loses: ReactNode;
  /** "Delete audience" */
  action: string;
  danger?: boolean;
  /** Must be typed before the button works: for what cannot be undone at all. */
  typed?: string;
  cancel?: string;
}

interface Pending extends ConfirmRequest {
  answer: (yes: boolean) => void;
}

let pending: Pending | null = null;
const listeners = new Set<() => void>();
const changed = () => {
  for (const listener of listeners) listener();
};

export function confirm(request: ConfirmRequest): Promise<boolean> {
  pending?.answer(false);
  return new Promise((resolve) => {
    pending = {
      ...request,
      answer: (yes) => {
        pending = null;
        changed();
        resolve(yes);
      },
    };
    changed();
  });
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export function ConfirmHost() {
  const request = useSyncExternalStore(subscribe, () => pending);
  // The last request stays drawn while the dialog fades out.
  const [shown, setShown] = useState<Pending | null>(null);
  if (request && request !== shown) setShown(request);
  if (!shown) return null;
  return (
    <Modal opened={request !== null} onClose={() => request?.answer(false)} title={shown.title} size={440} zIndex={500}>
      <Question key={shown.title} request={shown} />
    </Modal>
  );
}

function Question({ request }: { request: Pending }) {
  const [text, setText] = useState('');
  const ready = !request.typed || text.trim() === request.typed;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) request.answer(true);
      }}
    >
      <div className={styles.loses}>{request.loses}</div>
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
