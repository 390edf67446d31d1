/**
 * One place for each file that is asked for. Pictures are looked at before they are sent: their size in pixels has to be exact. From one larger picture
 * all sizes can be made here, in the browser.
 */
import { Anchor, Button } from '@mantine/core';
import type { AccessKind } from '@parley/contract/channels/access_kinds.ts';
import { endpointPath } from '@parley/contract/endpoint.ts';
import { dimensionRefusal, extensionRefusal } from '@parley/contract/media/rules.ts';
import { putViberAttachment, putWhatsappAttachment } from '@parley/contract/registrations/access.ts';
import { type AccessFile, FILE_LABELS } from '@parley/contract/registrations/access_files.ts';
import {
  type Attachment,
  MAX_ATTACHMENT_BYTES,
  removeAttachment,
  type SenderDetail,
} from '@parley/contract/registrations/registration.ts';
import { IconCircleCheck, IconCircleDashed } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ApiError, callUpload } from '../kernel/http/client.ts';
import { toastError, useAction } from '../kernel/http/query.ts';
import { formatBytes } from '../ui/data/format.ts';
import { Notice } from '../ui/feedback/Notice.tsx';
import { fitted, sizeOf } from './picture.ts';
import styles from './Senders.module.css';

const ENDPOINTS = { whatsapp: putWhatsappAttachment, viber: putViberAttachment } as const;

export interface FileSlotsProps {
  kind: AccessKind;
  sender: SenderDetail;
  files: readonly AccessFile[];
  /** Of a sender in use: what is there may be another one, but not nothing. */
  inUse?: boolean;
}

export function FileSlots({ kind, sender, files, inUse = false }: FileSlotsProps) {
  const client = useQueryClient();
  const [busy, setBusy] = useState<string | null>(null);
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const remove = useAction(removeAttachment, { invalidates: ['senders'] });
  const pictures = files.filter(({ dimensions }) => dimensions !== null);

  const upload = async (slot: AccessFile, file: File): Promise<void> => {
    const endpoint = { ...ENDPOINTS[kind], path: endpointPath(ENDPOINTS[kind].path, { id: sender.id }) };
    await callUpload(endpoint, { kind: slot.kind }, file);
  };
  /** One after the other; the first that is refused says so in its place. */
  const carry = async (given: readonly { slot: AccessFile; file: File }[]) => {
    setProblems({});
    for (const { slot, file } of given) {
      setBusy(slot.kind);
      try {
        const wrong = await refusalOf(slot, file);
        if (wrong) setProblems((before) => ({ ...before, [slot.kind]: wrong }));
        else await upload(slot, file);
      } catch (error) {
        if (error instanceof ApiError && !error.announced)
          setProblems((before) => ({ ...before, [slot.kind]: error.message }));
        else toastError(error);
      }
    }
    await client.invalidateQueries({ queryKey: ['senders'] });
    setBusy(null);
  };
  const makeAll = async (source: File) => {
    try {
      const made = await Promise.all(
        pictures.map(async (slot) => ({ slot, file: await fitted(source, slot.dimensions!, `${slot.kind}.png`) })),
      );
      await carry(made);
    } catch {
      setProblems({ all: `${source.name} cannot be read as a picture` });
    }
  };

  return (
    <>
      {pictures.length > 0 && (
        <div className={styles.maker}>
          <p className={styles.hint}>
            {pictures.length > 1
              ? 'The logo is needed in six sizes, as PNG. From one larger picture all of them can be made at once.'
              : 'The logo is needed as PNG of exactly 640 x 640. It can be made from any larger picture.'}
          </p>
          <Choose
            label={pictures.length > 1 ? 'Make all sizes from one picture' : 'Make it from a picture'}
            accept="image/png,image/jpeg,image/webp"
            loading={busy !== null}
            onFile={(file) => void makeAll(file)}
          />
          {problems.all && (
            <p className={styles.problem} role="alert">
              {problems.all}
            </p>
          )}
        </div>
      )}
      <ul className={styles.slots} aria-label="Files">
        {files.map((slot) => (
          <Slot
            key={slot.kind}
            slot={slot}
            required={slot.required || sender.documents.includes(slot.kind)}
            there={sender.attachments.filter((file) => file.kind === slot.kind)}
            problem={problems[slot.kind]}
            busy={busy === slot.kind}
            onFile={(file) => void carry([{ slot, file }])}
            onRemove={inUse ? null : (id) => remove.mutate({ params: { id: sender.id, attachment_id: id } })}
          />
        ))}
      </ul>
      {!inUse && sender.documents.every((kind) => sender.attachments.some((file) => file.kind === kind)) && (
        <Notice tone="ok">Everything that is needed is here.</Notice>
      )}
    </>
  );
}

async function refusalOf({ extensions, dimensions }: AccessFile, file: File): Promise<string | null> {
  const wrong = extensionRefusal(file.name, {
    extensions,
    max_bytes: MAX_ATTACHMENT_BYTES,
    too_large: 'FILE_TOO_LARGE',
    wrong_extension: 'FILE_EXTENSION_NOT_ALLOWED',
  });
  if (wrong) return wrong.message;
  if (file.size > MAX_ATTACHMENT_BYTES) return `File size should not exceed ${formatBytes(MAX_ATTACHMENT_BYTES)}`;
  if (!dimensions) return null;
  const found = await sizeOf(file);
  return found ? (dimensionRefusal(found, dimensions)?.message ?? null) : 'The file is corrupted';
}

interface SlotProps {
  slot: AccessFile;
  required: boolean;
  there: readonly Attachment[];
  problem: string | undefined;
  busy: boolean;
  onFile: (file: File) => void;
  /** Null: it cannot be taken away. */
  onRemove: ((id: string) => void) | null;
}

function Slot({ slot, required, there, problem, busy, onFile, onRemove }: SlotProps) {
  const words = FILE_LABELS[slot.kind];
  const done = there.length > 0;
  return (
    <li className={styles.slot} data-done={done || undefined}>
      {done ? (
        <IconCircleCheck className={styles.slotMark} size={18} role="img" aria-label="Attached" />
      ) : (
        <IconCircleDashed className={styles.slotMark} size={18} role="img" aria-label={required ? 'Missing' : 'None'} />
      )}
      <div className={styles.slotWords}>
        <strong>{words}</strong>
        <span className={styles.hint}>
          {slot.dimensions
            ? `PNG, exactly ${slot.dimensions.width} x ${slot.dimensions.height} pixels`
            : slot.extensions.map((ending) => ending.slice(1).toUpperCase()).join(', ')}
          {required ? '' : ', if there is one'}
        </span>
        {there.map((file) => (
          <span key={file.id} className={styles.slotFile}>
            <Anchor underline="always" href={file.url} inherit>
              {file.file_name}
            </Anchor>
            <span className={styles.hint}>{formatBytes(file.bytes)}</span>
            {onRemove && (
              <Button
                size="compact-xs"
                variant="default"
                aria-label={`Remove ${file.file_name}, ${words}`}
                onClick={() => onRemove(file.id)}
              >
                Remove
              </Button>
            )}
          </span>
        ))}
        {problem && (
          <p className={styles.problem} role="alert">
            {problem}
          </p>
        )}
      </div>
      <Choose
        label={done && slot.kind !== 'other' ? 'Replace' : 'Choose'}
        about={words}
        accept={slot.extensions.join(',')}
        loading={busy}
        onFile={onFile}
      />
    </li>
  );
}

interface ChooseProps {
  label: string;
  about?: string;
  accept: string;
  loading: boolean;
  onFile: (file: File) => void;
}

function Choose({ label, about, accept, loading, onFile }: ChooseProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      {/* Not disabled while something is sent: that would take the focus from whoever uses the keyboard. */}
      <Button
        size="xs"
        variant="default"
        aria-disabled={loading || undefined}
        {...(about ? { 'aria-label': `${loading ? 'Sending' : label}: ${about}` } : {})}
        onClick={() => {
          if (!loading) input.current?.click();
        }}
      >
        {loading ? 'Sending' : label}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        tabIndex={-1}
        accept={accept}
        aria-label={about ?? label}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          event.currentTarget.value = '';
          if (file) onFile(file);
        }}
      />
    </>
  );
}
