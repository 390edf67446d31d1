import { Anchor, Button } from '@mantine/core';
import { type AudienceImport, cancelImport, getImport, getRefusedRows } from '@parley/contract/audiences/imports.ts';
import { IconDownload, IconFileUpload } from '@tabler/icons-react';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { callFile, saveFile } from '../../kernel/http/client.ts';
import { toastError, useAction, useEndpoint } from '../../kernel/http/query.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { formatCount, formatNumber } from '../../ui/data/format.ts';
import { type Stat, StatChips } from '../../ui/data/StatChips.tsx';
import { StatusBadge } from '../../ui/data/StatusBadge.tsx';
import { confirm } from '../../ui/feedback/Confirm.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { Progress } from '../../ui/feedback/Progress.tsx';
import { SkeletonFields, SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import { Back } from '../../ui/layout/Back.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import styles from '../Audiences.module.css';
import { IMPORT_STATUSES } from './ImportsPage.tsx';
import './live.ts';
import {
  audiencePath,
  CREATE_AUDIENCE,
  continueImportPath,
  IMPORTS,
  importIntoPath,
  linkToAddress,
} from '../../paths.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';

export default function ImportPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const answer = useEndpoint(getImport, { params: { id } });
  const record = answer.data?.data;
  if (record) return <ImportDetails found={record} />;
  if (answer.error?.status === 404 || answer.error?.status === 400) {
    return (
      <EmptyState
        icon={IconFileUpload}
        title="There is no such import"
        action={
          <Button variant="default" component={Link} to={IMPORTS}>
            All imports
          </Button>
        }
      />
    );
  }
  if (answer.error) {
    return (
      <ErrorState
        title="The import could not be loaded"
        onRetry={() => void answer.refetch()}
        retrying={answer.isFetching}
      >
        {answer.error.message}
      </ErrorState>
    );
  }
  return (
    <div role="status" aria-label="Loading" className={styles.bones}>
      <SkeletonLines lines={2} />
      <SkeletonFields count={4} />
    </div>
  );
}

function ImportDetails({ found: record }: { found: AudienceImport }) {
  const { status } = record;
  const isRunning = status === 'running';
  return (
    <>
      <Back to={IMPORTS}>Imports</Back>
      <PageHeader
        title={record.filename}
        badge={<StatusBadge status={status} words={IMPORT_STATUSES} />}
        description={
          <>
            Into{' '}
            {record.audience_id ? (
              <Anchor component={Link} to={audiencePath(record.audience_id)} inherit className={styles.inText}>
                {record.audience_name}
              </Anchor>
            ) : (
              record.audience_name
            )}
            , <DateTime value={record.create_date} />
          </>
        }
        action={<Actions found={record} />}
      />
      <section className={styles.standing} aria-label="Progress">
        <Outcome found={record} />
        {(isRunning || status === 'completed') && (
          <>
            <Progress
              label={`Import of ${record.filename}`}
              done={record.processed_rows}
              total={record.total_rows}
              running={isRunning}
              {...(isRunning ? {} : { parts: rowCounts(record) })}
            />
            <StatChips label="What became of the rows" stats={rowStats(record)} />
          </>
        )}
      </section>
    </>
  );
}

const rowCounts = (record: AudienceImport) => [
  { key: 'created', label: 'Created', value: record.created_count, tone: 'ok' as const },
  { key: 'updated', label: 'Updated', value: record.updated_count, tone: 'flight' as const },
  { key: 'skipped', label: 'Left as they were', value: record.skipped_count, tone: 'off' as const },
  { key: 'duplicate', label: 'Duplicate', value: record.duplicate_count, tone: 'wait' as const },
  { key: 'invalid', label: 'Invalid', value: record.invalid_count, tone: 'fail' as const },
];

/** What is stored is known when all of it is: until then these figures are still open. */
function rowStats(record: AudienceImport): Stat[] {
  const isDone = record.status === 'completed';
  return rowCounts(record).map(({ key, label, value, tone }) => ({
    key,
    label,
    tone,
    value: isDone || key === 'duplicate' || key === 'invalid' ? formatNumber(value) : undefined,
  }));
}

function Outcome({ found: record }: { found: AudienceImport }) {
  const stored = record.created_count + record.updated_count;
  const refused = record.duplicate_count + record.invalid_count;
  if (record.status === 'mapping')
    return (
      <Notice
        tone="wait"
        action={
          <Button size="xs" component={Link} {...linkToAddress(continueImportPath(record.id))}>
            Choose columns
          </Button>
        }
      >
        {formatCount(record.total_rows, 'row')} wait for their columns to be chosen. Nothing is imported before that.
      </Notice>
    );
  if (record.status === 'failed')
    return (
      <Notice tone="fail" action={<ImportAgain found={record} />}>
        {record.error_message ?? 'The file could not be imported'}. Nothing was changed.
      </Notice>
    );
  if (record.status === 'canceled')
    return (
      <Notice tone="info" action={<ImportAgain found={record} />}>
        Canceled. Nothing was changed.
      </Notice>
    );
  if (record.status === 'running')
    return <Notice tone="info">You can close this tab: the import goes on without it.</Notice>;
  return (
    <Notice
      tone={stored === 0 && refused > 0 ? 'wait' : 'ok'}
      action={record.has_refused && <DownloadSkipped found={record} />}
    >
      {formatCount(stored, 'contact')} in {record.audience_name}
      {record.skipped_count > 0 && `, ${formatNumber(record.skipped_count)} were there already and stay as they were`}
      {refused > 0 ? `. ${formatCount(refused, 'row was', 'rows were')} refused; the file says why, row by row.` : '.'}
    </Notice>
  );
}

function ImportAgain({ found: record }: { found: AudienceImport }) {
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

function DownloadSkipped({ found: record }: { found: AudienceImport }) {
  const [busy, setBusy] = useState(false);
  const download = async () => {
    setBusy(true);
    try {
      const file = await callFile(getRefusedRows, { params: { id: record.id } });
      saveFile(file, `${record.filename.replace(/\.\w{1,5}$/, '')} refused rows.csv`);
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
      Download refused rows ({formatNumber(record.duplicate_count + record.invalid_count)})
    </Button>
  );
}

function Actions({ found: record }: { found: AudienceImport }) {
  const cancel = useAction(cancelImport);
  if (record.status === 'completed' && record.audience_id)
    return (
      <Button component={Link} to={audiencePath(record.audience_id)}>
        Open audience
      </Button>
    );
  if (record.status !== 'running' && record.status !== 'mapping') return null;
  const ask = async () => {
    const yes = await confirm({
      title: `Cancel the import of ${record.filename}?`,
      consequence: 'Nothing of it stays: the audience is as it was before.',
      action: 'Cancel import',
      cancel: 'Go on',
      danger: true,
    });
    if (yes) cancel.mutate({ params: { id: record.id } });
  };
  return (
    <Allow needs={cancelImport.needs}>
      <Button variant="default" onClick={() => void ask()} loading={cancel.isPending}>
        Cancel import
      </Button>
    </Allow>
  );
}
