import type { Audience } from '@parley/contract/audiences/audiences.ts';
import { type AudienceImport, cancelImport } from '@parley/contract/audiences/imports.ts';
import { type ChannelName, DEFAULT_CHANNEL } from '@parley/contract/channels/names.ts';
import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { useUnsavedGuard } from '../../kernel/form/unsaved.ts';
import { call } from '../../kernel/http/client.ts';
import { AUDIENCES, audiencePath, dynamicAudiencePath, importPath } from '../../paths.ts';
import { formatCount } from '../../ui/data/format.ts';
import { Wizard } from '../../ui/layout/Wizard.tsx';
import { ColumnsStep } from './ColumnsStep.tsx';
import { ContactPreview } from './ContactPreview.tsx';
import { FileStep } from './FileStep.tsx';
import { useColumns } from './useColumns.ts';
import { useStart } from './useStart.ts';

const STEPS = [
  { key: 'start', label: 'Contacts' },
  { key: 'columns', label: 'Columns' },
];

interface CreateWizardProps {
  audience: Audience | null;
  started: AudienceImport | null;
  /** The initial channel of a new audience. */
  channel?: ChannelName;
}

/**
 * Creates an audience, or imports into an existing one. `started` is an uploaded file whose columns are not mapped yet.
 */
export function CreateWizard({ audience, started, channel = DEFAULT_CHANNEL }: CreateWizardProps) {
  const navigate = useNavigate();
  const leaving = useRef(false);
  const leave = (path: string) => {
    leaving.current = true;
    void navigate({ href: path });
  };
  const columns = useColumns(started, (id) => leave(importPath(id)));
  const { upload } = columns;
  const into = audience?.id ?? upload?.audience_id ?? null;
  const file = useStart({
    into,
    channel,
    onCreated: (id) => leave(audiencePath(id)),
    onConditions: ({ name, channel: chosen }) => leave(dynamicAudiencePath(name, chosen)),
    onUploaded: columns.setUpload,
  });
  const { start } = file;
  useUnsavedGuard(() => !leaving.current && !upload && (start.file !== null || start.name !== ''));

  const stepBack = () => {
    // The next upload sends the file again, so the uploaded one is no longer needed.
    if (upload) void call(cancelImport, { params: { id: upload.id } }).catch(() => {});
    columns.setUpload(null);
  };
  const isFile = start.source === 'file' || upload !== null;
  return (
    <Wizard
      title={into ? `Import into ${audience?.name ?? upload?.audience_name}` : 'Create audience'}
      steps={isFile ? STEPS : STEPS.slice(0, 1)}
      active={upload ? 1 : 0}
      onStep={stepBack}
      onNext={upload ? columns.run : file.submit}
      onClose={() => {
        file.abort();
        leave(into ? audiencePath(into) : AUDIENCES);
      }}
      nextLabel="Upload"
      lastLabel={
        upload
          ? `Import ${formatCount(upload.total_rows, 'row')}`
          : start.source === 'conditions'
            ? 'Set conditions'
            : 'Create audience'
      }
      nextReason={columns.isReading ? 'Reading the file' : null}
      {...(upload ? { aside: <ContactPreview preview={upload.preview} choice={columns.choice} /> } : {})}
    >
      {upload ? (
        <ColumnsStep
          record={upload}
          choice={columns.choice}
          isReading={columns.isReading}
          onChange={columns.change}
          onReread={(settings) => void columns.reread(settings)}
        />
      ) : (
        <FileStep
          start={start}
          into={into !== null}
          errors={file.errors}
          progress={file.progress}
          onChange={file.change}
          onLeaveName={file.checkName}
        />
      )}
    </Wizard>
  );
}
