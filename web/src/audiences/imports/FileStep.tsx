import { Button, SegmentedControl, Select, TextInput } from '@mantine/core';
import { MAX_IMPORT_BYTES } from '@parley/contract/audiences/imports.ts';
import { CHANNEL_LABELS, CHANNELS, type ChannelName } from '@parley/contract/channels/names.ts';
import { IconDownload } from '@tabler/icons-react';
import { afterRelease } from '../../kernel/form/pointer_release.ts';
import { saveFile } from '../../kernel/http/files.ts';
import { useSession } from '../../kernel/session/session.tsx';
import { formatNumber, formatPercent } from '../../ui/data/format.ts';
import { FileDrop } from '../../ui/form/FileDrop.tsx';
import styles from './Create.module.css';
import { SAMPLE_FILE } from './mapping.ts';

export interface Start {
  source: 'file' | 'empty' | 'conditions';
  name: string;
  channel: ChannelName;
  file: File | null;
}

export interface FileStepProps {
  start: Start;
  /** True if the file is imported into an existing audience. */
  into: boolean;
  errors: { name?: string; file?: string };
  /** The uploaded fraction of the file, from 0 to 1; null if no upload is running. */
  progress: number | null;
  onChange: (changes: Partial<Start>) => void;
  onLeaveName: () => void;
}

export function FileStep({ start, into, errors, progress, onChange, onLeaveName }: FileStepProps) {
  const { account } = useSession();
  const busy = progress !== null;
  return (
    <div className={styles.fields}>
      {!into && (
        <>
          <NameAndChannel start={start} error={errors.name} busy={busy} onChange={onChange} onLeaveName={onLeaveName} />
          <SegmentedControl
            aria-label="Source of the contacts"
            className={styles.source}
            data={[
              { value: 'file', label: 'Upload a file' },
              { value: 'empty', label: 'Start empty' },
              { value: 'conditions', label: 'Set conditions' },
            ]}
            value={start.source}
            disabled={busy}
            onChange={(way) => onChange({ source: way as Start['source'] })}
          />
        </>
      )}
      {start.source === 'conditions' ? (
        <p className={styles.hint}>
          A dynamic audience contains everyone who matches your conditions, such as a country, a tag, or a recent reply.
        </p>
      ) : start.source === 'empty' ? (
        <p className={styles.hint}>Add contacts one by one, or import a file later.</p>
      ) : (
        <div data-field="file">
          <FileDrop
            label="Drop a CSV or Excel file here"
            accept={['.csv', '.xlsx', '.txt', '.tsv']}
            max_bytes={MAX_IMPORT_BYTES}
            file={start.file}
            onFile={(file) =>
              onChange({ file, ...(file && start.name === '' && !into ? { name: suggestName(file.name) } : {}) })
            }
            error={errors.file ?? null}
            disabled={busy}
          />
          {busy ? (
            <UploadProgress part={progress} />
          ) : (
            <>
              <p className={styles.hint}>
                One contact per row, up to {formatNumber(account.import_rows)} rows. Only the phone number is required;
                its column is detected automatically.
              </p>
              <Button
                variant="subtle"
                size="compact-sm"
                className={styles.sample}
                leftSection={<IconDownload size={14} aria-hidden />}
                onClick={() => saveFile(new Blob([SAMPLE_FILE], { type: 'text/csv' }), 'contacts.csv')}
              >
                Download sample file
              </Button>
            </>
          )}
        </div>
      )}
    </div>
  );
}

interface NameAndChannelProps extends Pick<FileStepProps, 'start' | 'onChange' | 'onLeaveName'> {
  error: string | undefined;
  busy: boolean;
}

function NameAndChannel({ start, error, busy, onChange, onLeaveName }: NameAndChannelProps) {
  return (
    <>
      <TextInput
        label="Name"
        description="Letters, digits, spaces, - and _, up to 45 characters."
        maxLength={45}
        data-path="name"
        value={start.name}
        error={error}
        disabled={busy}
        onBlur={() => afterRelease(onLeaveName)}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      <Select
        label="Channel"
        description="Campaigns on this channel can use the audience."
        className={styles.channel}
        data={CHANNELS.map((value) => ({ value, label: CHANNEL_LABELS[value] }))}
        value={start.channel}
        allowDeselect={false}
        disabled={busy}
        onChange={(channel) => channel && onChange({ channel: channel as ChannelName })}
      />
    </>
  );
}

function UploadProgress({ part }: { part: number }) {
  const isUploaded = part >= 1;
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
        <span className={styles.fill} data-waiting={isUploaded || undefined} style={{ width: `${part * 100}%` }} />
      </div>
      <p className={styles.hint} role="status">
        {isUploaded ? 'Reading the file' : `Uploading, ${formatPercent(part, 1)}`}
      </p>
    </div>
  );
}

/** Turns a file name such as "spring_customers 2026.csv" into a valid audience name. */
function suggestName(file: string): string {
  const name = file
    .replace(/\.\w{1,5}$/, '')
    .replace(/[^\p{L}\p{N} _-]+/gu, ' ')
    .trim()
    .slice(0, 45);
  return /^audience-\d+$/i.test(name) ? '' : name;
}
