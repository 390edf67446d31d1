import { Button, SegmentedControl, TextInput } from '@mantine/core';
import { MAX_IMPORT_BYTES, MAX_IMPORT_ROWS } from '@parley/contract/audiences/imports.ts';
import { IconDownload } from '@tabler/icons-react';
import { saveFile } from '../../kernel/http/client.ts';
import { formatNumber, formatPercent } from '../../ui/data/format.ts';
import { FileDrop } from '../../ui/form/FileDrop.tsx';
import styles from './Create.module.css';
import { SAMPLE_FILE } from './mapping.ts';

export interface Start {
  way: 'file' | 'empty';
  name: string;
  file: File | null;
}

export interface FileStepProps {
  start: Start;
  /** The file goes into an audience that has a name already. */
  into: boolean;
  errors: { name?: string; file?: string };
  /** How much of the file has gone up, from 0 to 1; null while none does. */
  sent: number | null;
  onChange: (changes: Partial<Start>) => void;
}

export function FileStep({ start, into, errors, sent, onChange }: FileStepProps) {
  const busy = sent !== null;
  return (
    <div className={styles.fields}>
      {!into && (
        <>
          <TextInput
            label="Name"
            description="Letters, digits, spaces, - and _, up to 45 characters."
            maxLength={45}
            data-autofocus
            data-path="name"
            value={start.name}
            error={errors.name}
            disabled={busy}
            onChange={(event) => onChange({ name: event.currentTarget.value })}
          />
          <SegmentedControl
            aria-label="Where the contacts come from"
            className={styles.way}
            data={[
              { value: 'file', label: 'Upload a file' },
              { value: 'empty', label: 'Start empty' },
            ]}
            value={start.way}
            disabled={busy}
            onChange={(way) => onChange({ way: way as Start['way'] })}
          />
        </>
      )}
      {start.way === 'empty' ? (
        <p className={styles.hint}>People are added one by one, or from a file later.</p>
      ) : (
        <div>
          <FileDrop
            label="Drop a CSV or Excel file here"
            accept={['.csv', '.xlsx', '.txt', '.tsv']}
            max_bytes={MAX_IMPORT_BYTES}
            file={start.file}
            onFile={(file) =>
              onChange({ file, ...(file && start.name === '' && !into ? { name: nameFrom(file.name) } : {}) })
            }
            error={errors.file ?? null}
            disabled={busy}
          />
          {busy ? (
            <Upload part={sent} />
          ) : (
            <>
              <p className={styles.hint}>
                One row a person, up to {formatNumber(MAX_IMPORT_ROWS)} rows. Only the phone number is needed; whatever
                its column is called, it will be found.
              </p>
              <Button
                variant="subtle"
                size="compact-sm"
                className={styles.sample}
                leftSection={<IconDownload size={14} aria-hidden />}
                onClick={() => saveFile(new Blob([SAMPLE_FILE], { type: 'text/csv' }), 'contacts.csv')}
              >
                Sample file
              </Button>
            </>
          )}
        </div>
      )}
    </div>
  );
}

function Upload({ part }: { part: number }) {
  const isUp = part >= 1;
  return (
    <div className={styles.upload}>
      <div
        className={styles.bar}
        role="progressbar"
        aria-label="Upload"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(part * 100)}
      >
        <span className={styles.fill} data-waiting={isUp || undefined} style={{ width: `${part * 100}%` }} />
      </div>
      <p className={styles.hint} role="status">
        {isUp ? 'The file is being read' : `Uploading, ${formatPercent(part, 1)}`}
      </p>
    </div>
  );
}

/** "spring_customers 2026.csv" makes a name that is allowed. */
function nameFrom(file: string): string {
  const name = file
    .replace(/\.\w{1,5}$/, '')
    .replace(/[^\p{L}\p{N} _-]+/gu, ' ')
    .trim()
    .slice(0, 45);
  return /^audience-\d+$/i.test(name) ? '' : name;
}
