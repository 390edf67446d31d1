/**
 * One slot per requested file. Pictures must have exact dimensions, which are checked before the upload. The browser
 * can create all sizes from one larger picture.
 */
import { Anchor, Button } from '@mantine/core';
import { ACCESS_FORMS } from '@parley/contract/channels/access.ts';
import type { AccessKind } from '@parley/contract/channels/access_kinds.ts';
import { endpointPath } from '@parley/contract/endpoint.ts';
import { dimensionRefusal, extensionRefusal } from '@parley/contract/media/rules.ts';
import { ATTACH_ACCESS } from '@parley/contract/registrations/access.ts';
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
import { FormProblem } from '../ui/form/FormParts.tsx';
import { fitPicture, measurePicture } from './picture.ts';
import styles from './Senders.module.css';

interface FileSlotsProps {
  kind: AccessKind;
  sender: SenderDetail;
  files: readonly AccessFile[];
  /** True if the sender is in use. Its files can then be replaced but not removed. */
  inUse?: boolean;
}

export function FileSlots({ kind, sender, files, inUse = false }: FileSlotsProps) {
  const { busy, problems, upload, createAll } = useFileUploads(kind, sender.id);
  const remove = useAction(removeAttachment, { invalidates: ['senders'] });
  const pictures = files.filter(({ dimensions }) => dimensions !== null);
  const isComplete = sender.documents.every((document) => sender.attachments.some((file) => file.kind === document));
  return (
    <>
      {pictures.length > 0 && (
        <PictureMaker
          hint={ACCESS_FORMS[kind].logo_hint}
          multiple={pictures.length > 1}
          busy={busy !== null}
          problem={problems.all}
          onFile={(file) => void createAll(file, pictures)}
        />
      )}
      <ul className={styles.slots} aria-label="Files">
        {files.map((slot) => (
          <Slot
            key={slot.kind}
            slot={slot}
            required={slot.required || sender.documents.includes(slot.kind)}
            attached={sender.attachments.filter((file) => file.kind === slot.kind)}
            problem={problems[slot.kind]}
            busy={busy === slot.kind}
            onFile={(file) => void upload([{ slot, file }])}
            onRemove={inUse ? null : (id) => remove.mutate({ params: { id: sender.id, attachment_id: id } })}
          />
        ))}
      </ul>
      {!inUse && isComplete && <Notice tone="ok">All required files are attached.</Notice>}
    </>
  );
}

/** Uploads files one at a time and keeps the problem of each slot. */
function useFileUploads(kind: AccessKind, id: string) {
  const client = useQueryClient();
  const [busy, setBusy] = useState<string | null>(null);
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const addProblem = (slot: AccessFile, text: string) => setProblems((before) => ({ ...before, [slot.kind]: text }));

  const upload = async (items: readonly { slot: AccessFile; file: File }[]) => {
    const endpoint = { ...ATTACH_ACCESS[kind], path: endpointPath(ATTACH_ACCESS[kind].path, { id }) };
    setProblems({});
    for (const { slot, file } of items) {
      setBusy(slot.kind);
      try {
        const problem = await findProblem(slot, file);
        if (problem) addProblem(slot, problem);
        else await callUpload(endpoint, { kind: slot.kind }, file);
      } catch (error) {
        if (error instanceof ApiError && !error.announced) addProblem(slot, error.message);
        else toastError(error);
      }
    }
    await client.invalidateQueries({ queryKey: ['senders'] });
    setBusy(null);
  };
  const createAll = async (source: File, slots: readonly AccessFile[]) => {
    try {
      const items = await Promise.all(
        slots.map(async (slot) => ({ slot, file: await fitPicture(source, slot.dimensions!, `${slot.kind}.png`) })),
      );
      await upload(items);
    } catch {
      setProblems({ all: `${source.name} could not be read as an image` });
    }
  };
  return { busy, problems, upload, createAll };
}

interface PictureMakerProps {
  hint: string;
  multiple: boolean;
  busy: boolean;
  problem: string | undefined;
  onFile: (file: File) => void;
}

/** Creates all logo sizes from one larger picture. */
function PictureMaker({ hint, multiple, busy, problem, onFile }: PictureMakerProps) {
  return (
    <div className={styles.maker}>
      <p className={styles.hint}>{hint}</p>
      <FileButton
        label={multiple ? 'Create all sizes from one image' : 'Create from an image'}
        accept="image/png,image/jpeg,image/webp"
        loading={busy}
        onFile={onFile}
      />
      <FormProblem>{problem}</FormProblem>
    </div>
  );
}

async function findProblem({ extensions, dimensions }: AccessFile, file: File): Promise<string | null> {
  const refusal = extensionRefusal(file.name, {
    extensions,
    max_bytes: MAX_ATTACHMENT_BYTES,
    too_large: 'FILE_TOO_LARGE',
    wrong_extension: 'FILE_EXTENSION_NOT_ALLOWED',
  });
  if (refusal) return refusal.message;
  if (file.size > MAX_ATTACHMENT_BYTES) return `File size should not exceed ${formatBytes(MAX_ATTACHMENT_BYTES)}`;
  if (!dimensions) return null;
  const size = await measurePicture(file);
  return size ? (dimensionRefusal(size, dimensions)?.message ?? null) : 'The file is corrupted';
}

interface SlotProps {
  slot: AccessFile;
  required: boolean;
  attached: readonly Attachment[];
  problem: string | undefined;
  busy: boolean;
  onFile: (file: File) => void;
  /** Null if the file cannot be removed. */
  onRemove: ((id: string) => void) | null;
}

function Slot({ slot, required, attached, problem, busy, onFile, onRemove }: SlotProps) {
  const label = FILE_LABELS[slot.kind];
  const isAttached = attached.length > 0;
  return (
    <li className={styles.slot} data-done={isAttached || undefined}>
      {isAttached ? (
        <IconCircleCheck className={styles.slotMark} size={18} role="img" aria-label="Attached" />
      ) : (
        <IconCircleDashed className={styles.slotMark} size={18} role="img" aria-label={required ? 'Missing' : 'None'} />
      )}
      <div className={styles.slotText}>
        <strong>{label}</strong>
        <span className={styles.hint}>
          {slot.dimensions
            ? `PNG, exactly ${slot.dimensions.width} x ${slot.dimensions.height} pixels`
            : slot.extensions.map((ending) => ending.slice(1).toUpperCase()).join(', ')}
          {required ? '' : ', optional'}
        </span>
        {attached.map((file) => (
          <span key={file.id} className={styles.slotFile}>
            <Anchor underline="always" href={file.url} inherit>
              {file.file_name}
            </Anchor>
            <span className={styles.hint}>{formatBytes(file.bytes)}</span>
            {onRemove && (
              <Button
                size="compact-xs"
                variant="default"
                aria-label={`Remove ${file.file_name}, ${label}`}
                onClick={() => onRemove(file.id)}
              >
                Remove
              </Button>
            )}
          </span>
        ))}
        <FormProblem>{problem}</FormProblem>
      </div>
      <FileButton
        label={isAttached && slot.kind !== 'other' ? 'Replace' : 'Choose'}
        about={label}
        accept={slot.extensions.join(',')}
        loading={busy}
        onFile={onFile}
      />
    </li>
  );
}

interface FileButtonProps {
  label: string;
  about?: string;
  accept: string;
  loading: boolean;
  onFile: (file: File) => void;
}

function FileButton({ label, about, accept, loading, onFile }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      {/* The button is not disabled during an upload, because disabling it would move keyboard focus. */}
      <Button
        size="xs"
        variant="default"
        aria-disabled={loading || undefined}
        {...(about ? { 'aria-label': `${loading ? 'Uploading' : label}: ${about}` } : {})}
        onClick={() => {
          if (!loading) input.current?.click();
        }}
      >
        {loading ? 'Uploading' : label}
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
