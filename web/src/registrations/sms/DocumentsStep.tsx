/** Documents. Each is uploaded when selected and can be removed. */
import { Anchor, Button, Select } from '@mantine/core';
import { endpointPath } from '@parley/contract/endpoint.ts';
import { FILE_LABELS } from '@parley/contract/registrations/access_files.ts';
import {
  ATTACHMENT_TYPES,
  MAX_ATTACHMENT_BYTES,
  putAttachment,
  removeAttachment,
  type SenderDetail,
} from '@parley/contract/registrations/registration.ts';
import { DOCUMENTS, type DocumentKind } from '@parley/contract/senders/countries.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiError, callUpload } from '../../kernel/http/client.ts';
import { toastError, useAction } from '../../kernel/http/query.ts';
import { formatBytes } from '../../ui/data/format.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { Progress } from '../../ui/feedback/Progress.tsx';
import { FileDrop } from '../../ui/form/FileDrop.tsx';
import styles from '../Registrations.module.css';
import type { Saver } from '../section.ts';

const TYPE_OPTIONS = Object.entries(DOCUMENTS).map(([value, label]) => ({ value, label }));

export function DocumentsStep({ sender, saver }: { sender: SenderDetail; saver: Saver }) {
  const attached = new Set(sender.attachments.map(({ kind }) => kind));
  const missing = sender.documents.filter((kind) => !attached.has(kind)) as DocumentKind[];
  const { kind, setKind, upload, sending, problem } = useDocumentUpload(sender.id, missing);
  // Missing documents do not block this step. The review step lists them.
  useEffect(() => {
    saver.current = async () =>
      sending ? [{ key: 'sending', text: `${sending.file.name} is still uploading` }] : undefined;
  });
  return (
    <div className={styles.form}>
      <MissingDocuments missing={missing} hasRequired={sender.documents.length > 0} />
      <Select
        label="Document type"
        data={TYPE_OPTIONS}
        allowDeselect={false}
        value={kind}
        onChange={(value) => value && setKind(value as DocumentKind)}
      />
      <FileDrop
        label="Drop a document here"
        accept={ATTACHMENT_TYPES}
        max_bytes={MAX_ATTACHMENT_BYTES}
        file={null}
        onFile={(file) => void upload(file)}
        error={problem}
        disabled={sending !== null}
      />
      {sending && (
        <Progress
          label={`Uploading ${sending.file.name}`}
          done={Math.round(sending.part * sending.file.size)}
          total={sending.file.size}
          running
        />
      )}
      <Attachments sender={sender} />
    </div>
  );
}

/** Uploads a document and then selects the type of the next missing one. */
function useDocumentUpload(id: string, missing: readonly DocumentKind[]) {
  const client = useQueryClient();
  const [kind, setKind] = useState<DocumentKind>(missing[0] ?? 'other');
  const [sending, setSending] = useState<{ file: File; part: number } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const upload = async (file: File | null) => {
    setProblem(null);
    if (!file) return;
    setSending({ file, part: 0 });
    try {
      const endpoint = { ...putAttachment, path: endpointPath(putAttachment.path, { id }) };
      await callUpload(endpoint, { kind }, file, { onProgress: (part) => setSending({ file, part }) });
      await client.invalidateQueries({ queryKey: ['senders'] });
      const next = missing.find((one) => one !== kind);
      if (next) setKind(next);
    } catch (error) {
      if (error instanceof ApiError) setProblem(error.message);
      else toastError(error);
    } finally {
      setSending(null);
    }
  };
  return { kind, setKind, upload, sending, problem };
}

function MissingDocuments({ missing, hasRequired }: { missing: readonly DocumentKind[]; hasRequired: boolean }) {
  if (missing.length === 0)
    return (
      <Notice tone="ok">
        {hasRequired
          ? 'All required documents are attached.'
          : 'No documents required. Supporting documents can speed up the review.'}
      </Notice>
    );
  return (
    <Notice tone="wait">
      Required documents that are still missing:
      <ul className={styles.reasons}>
        {missing.map((one) => (
          <li key={one}>{FILE_LABELS[one]}</li>
        ))}
      </ul>
    </Notice>
  );
}

function Attachments({ sender }: { sender: SenderDetail }) {
  const remove = useAction(removeAttachment);
  if (sender.attachments.length === 0) return null;
  return (
    <ul className={styles.files} aria-label="Documents">
      {sender.attachments.map((file) => (
        <li key={file.id}>
          <span>
            <Anchor underline="always" href={file.url} inherit>
              {file.file_name}
            </Anchor>{' '}
            <span className={styles.hint}>
              {FILE_LABELS[file.kind]}, {formatBytes(file.bytes)}
            </span>
          </span>
          <Button
            size="xs"
            variant="default"
            aria-label={`Remove ${file.file_name}`}
            onClick={() => remove.mutate({ params: { id: sender.id, attachment_id: file.id } })}
          >
            Remove
          </Button>
        </li>
      ))}
    </ul>
  );
}
