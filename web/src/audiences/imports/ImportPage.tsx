import { Anchor, Button } from '@mantine/core';
import {
  type AudienceImport,
  cancelImport,
  getImport,
  getRefusedRows,
  IMPORT_ROW_KINDS,
  IMPORT_STATUS,
  type ImportRowKind,
  undoImport,
} from '@parley/contract/audiences/imports.ts';
import { MAX_LISTED_ROWS } from '@parley/contract/audiences/limits.ts';
import { createCampaign } from '@parley/contract/campaigns/drafts.ts';
import { IconDownload, IconFileUpload, IconSend } from '@tabler/icons-react';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { callFile, saveFile } from '../../kernel/http/files.ts';
import { toastError, useAction, useEndpoint } from '../../kernel/http/query.ts';
import { RecordPage } from '../../kernel/record/RecordPage.tsx';
import { Allow } from '../../kernel/session/allow.tsx';
import { routeReason } from '../../kernel/session/routes.tsx';
import { useSession } from '../../kernel/session/session.tsx';
import {
  audiencePath,
  CREATE_AUDIENCE,
  campaignToPath,
  continueImportPath,
  IMPORTS,
  importIntoPath,
  importRowsPath,
  linkToAddress,
} from '../../paths.ts';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { formatCount, formatNumber } from '../../ui/data/format.ts';
import { type Stat, StatChips } from '../../ui/data/StatChips.tsx';
import { StatusBadge } from '../../ui/data/StatusBadge.tsx';
import { isolate } from '../../ui/data/text_direction.ts';
import { confirm } from '../../ui/feedback/Confirm.tsx';
import { Disabled } from '../../ui/feedback/Disabled.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { Progress } from '../../ui/feedback/Progress.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { Back } from '../../ui/layout/Back.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import styles from '../Audiences.module.css';
import { hasReportedRows, ImportRows } from './ImportRows.tsx';
import './live.ts';

export default function ImportPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const query = useEndpoint(getImport, { params: { id } });
  return (
    <RecordPage
      query={query}
      noun="import"
      icon={IconFileUpload}
      list={{ to: IMPORTS, label: 'All imports' }}
      back={<Back to={IMPORTS}>Imports</Back>}
    >
      {(record) => <ImportDetails record={record} />}
    </RecordPage>
  );
}

function ImportDetails({ record }: { record: AudienceImport }) {
  const { status } = record;
  const isRunning = status === 'running';
  return (
    <>
      <PageHeader
        title={record.filename}
        badge={<StatusBadge {...IMPORT_STATUS[status]} />}
        description={
          <>
            Imported into{' '}
            {record.audience_id ? (
              <Anchor component={Link} to={audiencePath(record.audience_id)} inherit className={styles.inText}>
                <bdi>{record.audience_name}</bdi>
              </Anchor>
            ) : (
              <bdi>{record.audience_name}</bdi>
            )}
            , <DateTime value={record.create_date} />
          </>
        }
        action={<Actions record={record} />}
      />
      <section className={styles.progress} aria-label="Progress">
        <Outcome record={record} />
        {(isRunning || status === 'completed') && (
          <>
            <Progress
              label={`Import of ${record.filename}`}
              done={record.processed_rows}
              total={record.total_rows}
              running={isRunning}
              {...(isRunning ? {} : { parts: rowCounts(record) })}
            />
            <StatChips label="Rows by result" stats={rowStats(record)} />
          </>
        )}
      </section>
      {hasReportedRows(record) && <ImportRows record={record} />}
    </>
  );
}

const rowCounts = (record: AudienceImport) => [
  { key: 'created', label: 'Created', value: record.created_count, tone: 'ok' as const },
  { key: 'updated', label: 'Updated', value: record.updated_count, tone: 'flight' as const },
  { key: 'skipped', label: 'Unchanged', value: record.skipped_count, tone: 'off' as const },
  { key: 'duplicate', label: 'Duplicate', value: record.duplicate_count, tone: 'wait' as const },
  { key: 'invalid', label: 'Invalid', value: record.invalid_count, tone: 'fail' as const },
];

const isListed = (key: string): key is ImportRowKind => (IMPORT_ROW_KINDS as readonly string[]).includes(key);

/** The figures for stored rows are known only at the end; until then they are undefined. */
function rowStats(record: AudienceImport): Stat[] {
  const isDone = record.status === 'completed';
  return rowCounts(record).map(({ key, label, value, tone }) => ({
    key,
    label,
    tone,
    value: isDone || key === 'duplicate' || key === 'invalid' ? formatNumber(value) : undefined,
    // The listed rows end at a limit, and rows that became contacts are not listed.
    href: isDone && isListed(key) && value > 0 && value <= MAX_LISTED_ROWS ? importRowsPath(record.id, key) : undefined,
  }));
}

function Outcome({ record }: { record: AudienceImport }) {
  const stored = record.created_count + record.updated_count;
  const skipped = record.duplicate_count + record.invalid_count;
  if (record.status === 'mapping')
    return (
      <Notice
        tone="wait"
        action={
          <Button size="xs" component={Link} {...linkToAddress(continueImportPath(record.id))}>
            Map columns
          </Button>
        }
      >
        {formatCount(record.total_rows, 'row')} uploaded. Map the columns to start the import.
      </Notice>
    );
  if (record.status === 'failed')
    return (
      <Notice tone="fail" action={<ImportAgain record={record} />}>
        {record.error_message ?? 'The file could not be imported'}. No contacts were changed.
      </Notice>
    );
  if (record.status === 'canceled')
    return (
      <Notice tone="info" action={<ImportAgain record={record} />}>
        Import canceled. No contacts were changed.
      </Notice>
    );
  if (record.undo_date !== null)
    return (
      <Notice tone="info" action={<ImportAgain record={record} />}>
        Import undone on <DateTime value={record.undo_date} />.
      </Notice>
    );
  if (record.status === 'running')
    return <Notice tone="info">You can close this tab. The import continues in the background.</Notice>;
  return (
    <Notice
      tone={stored === 0 && skipped > 0 ? 'wait' : 'ok'}
      action={record.has_refused && <DownloadSkipped record={record} />}
    >
      {formatCount(stored, 'contact')} in {isolate(record.audience_name)}
      {record.skipped_count > 0 && `, ${formatNumber(record.skipped_count)} already existed and were not changed`}
      {skipped > 0 ? `. ${formatCount(skipped, 'row')} skipped.` : '.'}
      {record.shortened_count > 0 &&
        ` ${formatCount(record.shortened_count, 'contact')} had a text that was too long. It was shortened to fit.`}
      {record.consecutive_count > 0 &&
        ` ${formatCount(record.consecutive_count, 'contact')} have consecutive numbers. Check that they are real.`}
    </Notice>
  );
}

function ImportAgain({ record }: { record: AudienceImport }) {
  return (
    <Button
      size="xs"
      variant="default"
      component={Link}
      {...linkToAddress(record.audience_id ? importIntoPath(record.audience_id) : CREATE_AUDIENCE)}
    >
      Import again
    </Button>
  );
}

function DownloadSkipped({ record }: { record: AudienceImport }) {
  const [busy, setBusy] = useState(false);
  const download = async () => {
    setBusy(true);
    try {
      const file = await callFile(getRefusedRows, { params: { id: record.id } });
      saveFile(file, `${record.filename.replace(/\.\w{1,5}$/, '')} skipped rows.csv`);
    } catch (error) {
      toastError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconDownload size={14} aria-hidden />}
      onClick={() => void download()}
      loading={busy}
    >
      Download skipped rows ({formatNumber(record.duplicate_count + record.invalid_count)})
    </Button>
  );
}

function UndoImport({ record }: { record: AudienceImport }) {
  const undo = useAction(undoImport, { onSuccess: () => toast.success('Import undone') });
  const confirmUndo = async () => {
    const confirmed = await confirm({
      title: `Undo the import of ${isolate(record.filename)}?`,
      consequence:
        'Contacts that it added will be removed, and texts that it changed will be restored. Later changes are kept.',
      action: 'Undo import',
      danger: true,
    });
    if (confirmed) undo.mutate({ params: { id: record.id } });
  };
  return (
    <Allow needs={undoImport.needs}>
      <Button variant="default" onClick={() => void confirmUndo()} loading={undo.isPending}>
        Undo import
      </Button>
    </Allow>
  );
}

function Actions({ record }: { record: AudienceImport }) {
  const cancel = useAction(cancelImport);
  const campaignReason = routeReason({ needs: createCampaign.needs as 'CAMPAIGNS:add' }, useSession());
  if (record.status === 'completed' && record.audience_id)
    return (
      <>
        {record.undo_date === null && <UndoImport record={record} />}
        <Button variant="default" component={Link} to={audiencePath(record.audience_id)}>
          Open audience
        </Button>
        <Disabled reason={campaignReason}>
          <Button
            component={Link}
            {...linkToAddress(campaignToPath(record.channel, record.audience_id))}
            leftSection={<IconSend size={15} aria-hidden />}
          >
            Create campaign with this audience
          </Button>
        </Disabled>
      </>
    );
  if (record.status !== 'running' && record.status !== 'mapping') return null;
  const confirmCancel = async () => {
    const confirmed = await confirm({
      title: `Cancel the import of ${isolate(record.filename)}?`,
      consequence: 'No contacts will be imported, and the audience will not change.',
      action: 'Cancel import',
      cancel: 'Continue import',
      danger: true,
    });
    if (confirmed) cancel.mutate({ params: { id: record.id } });
  };
  return (
    <Allow needs={cancelImport.needs}>
      <Button variant="default" onClick={() => void confirmCancel()} loading={cancel.isPending}>
        Cancel import
      </Button>
    </Allow>
  );
}
