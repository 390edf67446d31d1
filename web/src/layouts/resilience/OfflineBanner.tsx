/** The banner above every page while the server cannot be reached. */
import { IconCloudOff } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { probe, useConnection } from '../../kernel/http/connection.ts';
import styles from './OfflineBanner.module.css';

const TEXTS = {
  offline: {
    title: 'You are offline',
    text: 'The app reconnects when you are back online. Your input is kept.',
  },
  unreachable: { title: 'The server cannot be reached', text: 'Retrying automatically. Your input is kept.' },
};

export function OfflineBanner() {
  const connection = useConnection();
  const isDown = connection !== 'online';
  useEffect(() => {
    if (!isDown) return;
    document.documentElement.dataset.offline = '';
    return () => {
      delete document.documentElement.dataset.offline;
    };
  }, [isDown]);
  // The region exists before its text, so that screen readers announce the change.
  return (
    <section className={styles.root} role="status" aria-label="Connection" data-shown={isDown || undefined}>
      {connection !== 'online' && (
        <>
          <IconCloudOff size={17} aria-hidden className={styles.icon} />
          <p className={styles.words}>
            <b>{TEXTS[connection].title}</b> <span className={styles.detail}>{TEXTS[connection].text}</span>
          </p>
          <Retry />
        </>
      )}
    </section>
  );
}

function Retry() {
  const [busy, setBusy] = useState(false);
  const retry = async () => {
    setBusy(true);
    await probe();
    setBusy(false);
  };
  return (
    <button type="button" className={styles.retry} disabled={busy} onClick={() => void retry()}>
      {busy ? 'Retrying' : 'Retry now'}
    </button>
  );
}
