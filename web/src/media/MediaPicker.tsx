import { Button, SegmentedControl, TextInput } from '@mantine/core';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { mediaRule } from '@parley/contract/media/channel_rules.ts';
import { fileRefusal, linkRefusal } from '@parley/contract/media/rules.ts';
import type { MediaType } from '@parley/contract/media/types.ts';
import { useState } from 'react';
import { afterRelease } from '../kernel/form/pointer_release.ts';
import { formatBytes } from '../ui/data/format.ts';
import { FileDrop } from '../ui/form/FileDrop.tsx';
import type { AttachmentValue } from './attachment.ts';
import styles from './MediaPicker.module.css';
import { MediaView } from './MediaView.tsx';
import { UploadCard } from './UploadCard.tsx';
import type { Upload } from './useUpload.ts';

interface MediaPickerProps {
  type: MediaType;
  channel: ChannelName | null;
  value: AttachmentValue;
  onChange: (value: AttachmentValue) => void;
  /** The result of `useUpload` with the same type and channel. Its `onReady` puts the file into the value. */
  upload: Upload;
  /** The form's error: "File is a required field". */
  error?: string | null;
}

const TYPE_LABELS: Readonly<Record<MediaType, string>> = {
  image: 'an image',
  video: 'a video',
  document: 'a document',
};

/** An uploaded file or a link to one. The rules of the contract are checked before anything is sent. */
export function MediaPicker({ type, channel, value, onChange, upload, error }: MediaPickerProps) {
  const { state, reason } = upload;
  const rule = mediaRule(type, channel);
  const changeSource = (source: string) => {
    upload.cancel();
    onChange({ source: source === 'link' ? 'link' : 'file', media: null, url: '' });
  };
  const remove = () => {
    upload.cancel();
    onChange({ ...value, media: null });
  };
  return (
    <div className={styles.root}>
      <SegmentedControl
        aria-label="File source"
        size="xs"
        value={value.source}
        onChange={changeSource}
        data={[
          { value: 'file', label: 'Upload a file' },
          { value: 'link', label: 'Use a link' },
        ]}
      />
      {value.source === 'link' ? (
        <LinkField
          key={`${type} ${channel}`}
          type={type}
          channel={channel}
          url={value.url}
          onChange={(url) => onChange({ ...value, url })}
          error={error ?? null}
          hint={`Must start with https and end in ${rule.extensions.join(', ')}`}
        />
      ) : value.media ? (
        <div className={styles.done}>
          <MediaView {...value.media} type={type} url={value.media.get_url ?? ''} small />
          <div className={styles.card}>
            <div className={styles.words}>
              <span className={styles.name}>{value.media.file_name}</span>
              <span className={styles.note}>{formatBytes(value.media.bytes ?? 0)}</span>
            </div>
            <Button size="xs" variant="default" onClick={remove}>
              Remove
            </Button>
          </div>
        </div>
      ) : state.status === 'idle' || state.status === 'ready' ? (
        <FileDrop
          label={`Drop ${TYPE_LABELS[type]} here`}
          accept={rule.extensions}
          max_bytes={rule.max_bytes}
          file={null}
          onFile={(file) => file && upload.start(file)}
          check={(file) => fileRefusal(file, rule)?.message ?? null}
          error={reason ?? error ?? null}
          disabled={reason !== null}
        />
      ) : (
        <UploadCard upload={upload} />
      )}
    </div>
  );
}

function LinkField(props: {
  type: MediaType;
  channel: ChannelName | null;
  url: string;
  onChange: (url: string) => void;
  error: string | null;
  hint: string;
}) {
  const { type, channel, url, onChange, hint } = props;
  const [isBlurred, setIsBlurred] = useState(false);
  const problem = isBlurred && url.trim() !== '' ? (linkRefusal(url, mediaRule(type, channel))?.message ?? null) : null;
  return (
    <TextInput
      label="URL"
      type="url"
      inputMode="url"
      description={hint}
      value={url}
      onChange={(event) => onChange(event.currentTarget.value)}
      onFocus={() => setIsBlurred(false)}
      onBlur={() => afterRelease(() => setIsBlurred(true))}
      error={problem ?? props.error}
    />
  );
}
