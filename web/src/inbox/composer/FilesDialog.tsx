/**
 * Sends files that the user pasted or dropped into the reply, each as a separate message and in their order. A file
 * that the channel does not accept shows why, and the others are sent. A default export, loaded when files arrive.
 */
import { ActionIcon, Button, Modal } from '@mantine/core';
import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { mediaRule } from '@parley/contract/media/channel_rules.ts';
import { extensionRefusal } from '@parley/contract/media/rules.ts';
import { IconX } from '@tabler/icons-react';
import { useCallback, useEffect, useState } from 'react';
import { toDocumentName } from '../../channels/compose/AttachDialog.tsx';
import { ATTACHABLE, type Attachable, type ReplyBody } from '../../channels/compose/reply_body.ts';
import { UploadCard } from '../../media/UploadCard.tsx';
import { useUpload } from '../../media/useUpload.ts';
import { formatBytes, formatCount } from '../../ui/data/format.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { useReturnToOpener } from '../../ui/feedback/opener.ts';
import styles from './FilesDialog.module.css';

const MAX_FILES = 20;

interface Props {
  channel: ChannelName;
  files: readonly File[];
  onSend: (bodies: readonly ReplyBody[]) => void;
  onClose: () => void;
}

/** A file is an image or a video if the channel accepts it as such, and otherwise a document. */
export function fileType(name: string, channel: ChannelName): Attachable {
  const types = ATTACHABLE.filter((type) => channelRules(channel).types.includes(type));
  return types.find((type) => extensionRefusal(name, mediaRule(type, channel)) === null) ?? types.at(-1) ?? 'document';
}

export default function FilesDialog({ channel, files, onSend, onClose }: Props) {
  useReturnToOpener();
  const [rows, setRows] = useState(() => files.slice(0, MAX_FILES).map((file, n) => ({ file, id: n })));
  /** The outcomes of the uploads; null for a file that cannot be sent. */
  const [bodies, setBodies] = useState<ReadonlyMap<number, ReplyBody | null>>(new Map());
  const put = useCallback((id: number, body: ReplyBody | null) => setBodies((old) => new Map(old).set(id, body)), []);
  const ready = rows.flatMap(({ id }) => bodies.get(id) ?? []);
  const refused = rows.filter(({ id }) => bodies.get(id) === null).length;
  // A click before the end of all uploads would cancel the others.
  const isUploading = ready.length + refused < rows.length;
  const remove = (id: number) => {
    const left = rows.filter((row) => row.id !== id);
    if (left.length === 0) return onClose();
    setRows(left);
  };
  return (
    <Modal opened onClose={onClose} title="Send files" size={560}>
      <div className={styles.body}>
        {files.length > MAX_FILES && (
          <Notice tone="wait">{`Only the first ${MAX_FILES} files are sent at once.`}</Notice>
        )}
        <ul className={styles.files}>
          {rows.map(({ file, id }) => (
            <FileRow key={id} id={id} file={file} channel={channel} onEnd={put} onRemove={remove} />
          ))}
        </ul>
        <p className={styles.hint}>Each file is sent as a separate message.</p>
        <Button
          disabled={ready.length === 0 || isUploading}
          onClick={() => {
            onSend(ready);
            onClose();
          }}
        >
          {refused > 0 && !isUploading
            ? `Send ${ready.length} of ${formatCount(rows.length, 'file')}`
            : `Send ${formatCount(rows.length, 'file')}`}
        </Button>
      </div>
    </Modal>
  );
}

interface RowProps {
  id: number;
  file: File;
  channel: ChannelName;
  onEnd: (id: number, body: ReplyBody | null) => void;
  onRemove: (id: number) => void;
}

function FileRow({ id, file, channel, onEnd, onRemove }: RowProps) {
  const type = fileType(file.name, channel);
  const upload = useUpload({
    type,
    channel,
    onReady: (media) =>
      onEnd(id, {
        ...{ type, text: '', media_id: media.id },
        ...(type === 'document' ? { file_name: toDocumentName(media.file_name) || 'document' } : {}),
      }),
  });
  const { start, reason, state } = upload;
  useEffect(() => {
    if (reason === null) start(file);
  }, [start, file, reason]);
  const isRefused = reason !== null || (state.status === 'failed' && !state.resumable);
  useEffect(() => {
    if (isRefused) onEnd(id, null);
  }, [isRefused, id, onEnd]);
  return (
    <li className={styles.file}>
      <div className={styles.what}>
        {reason !== null ? (
          <Notice tone="fail">{reason}</Notice>
        ) : state.status === 'ready' ? (
          <>
            <bdi className={styles.name}>{file.name}</bdi>
            <span className={styles.hint}>{formatBytes(file.size)}</span>
          </>
        ) : state.status === 'failed' && isRefused ? (
          <Notice tone="fail">{`${file.name}: ${state.message}`}</Notice>
        ) : (
          <UploadCard upload={upload} />
        )}
      </div>
      <ActionIcon variant="subtle" aria-label={`Remove ${file.name}`} onClick={() => onRemove(id)}>
        <IconX size={16} aria-hidden />
      </ActionIcon>
    </li>
  );
}
