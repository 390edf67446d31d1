import { Button } from '@mantine/core';
import { IconFile } from '@tabler/icons-react';
import { formatBytes } from '../ui/data/format.ts';
import { Notice } from '../ui/feedback/Notice.tsx';
import styles from './MediaPicker.module.css';
import type { Upload } from './useUpload.ts';

/** A running or failed upload. Screen readers announce the progress only every ten percent. */
export function UploadCard({ upload }: { upload: Upload }) {
  const { state } = upload;
  if (state.status === 'failed')
    return (
      <Notice
        tone="fail"
        action={
          <span className={styles.buttons}>
            {state.resumable && (
              <Button size="xs" variant="default" onClick={upload.retry}>
                Try again
              </Button>
            )}
            <Button size="xs" variant="default" onClick={upload.cancel}>
              Choose another file
            </Button>
          </span>
        }
      >
        <b className={styles.name}>{state.file.name}</b>: {state.message}
      </Notice>
    );
  if (state.status !== 'slot' && state.status !== 'uploading') return null;
  const { file } = state;
  const sent = state.status === 'uploading' ? state.sent : 0;
  const share = file.size === 0 ? 0 : Math.min(1, sent / file.size);
  const isSent = sent >= file.size;
  const waiting = state.status === 'uploading' && state.waiting;
  return (
    <div className={styles.card}>
      <IconFile size={22} stroke={1.6} aria-hidden />
      <div className={styles.words}>
        <span className={styles.name}>{file.name}</span>
        <div
          className={styles.bar}
          role="progressbar"
          aria-label={`Upload of ${file.name}`}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={Math.floor(share * 100)}
          data-waiting={waiting || undefined}
        >
          <span style={{ width: `${share * 100}%` }} />
        </div>
        <span className={styles.note}>
          {waiting
            ? 'Connection lost. The upload will resume when you are back online.'
            : isSent
              ? 'Checking the file'
              : `${formatBytes(sent)} of ${formatBytes(file.size)}`}
        </span>
      </div>
      <Button size="xs" variant="default" onClick={upload.cancel}>
        Cancel
      </Button>
      <span className={styles.announced} role="status">
        {waiting ? 'Connection lost' : isSent ? 'Checking the file' : `Upload: ${Math.floor(share * 10) * 10} percent`}
      </span>
    </div>
  );
}
