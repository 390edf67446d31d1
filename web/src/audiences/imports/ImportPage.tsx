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
import { IMPORT_WORDS } from './ImportsPage.tsx';
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
  const found = answer.data?.data;
  if (found) return <Loaded found={found} />;
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

function Loaded({ found }: { found: AudienceImport }) {
  const { status } = found;
  const isRunning = status === 'running';
  return (
    <>
      <Back to={IMPORTS}>Imports</Back>
      <PageHeader
        title={found.filename}
        badge={<StatusBadge status={status} words={IMPORT_WORDS} />}
        description={
          <>
            Into{' '}
            {found.audience_id ? (
              <Anchor component={Link} to={audiencePath(found.audience_id)} inherit className={styles.inText}>
                {found.audience_name}
              </Anchor>
            ) : (
              found.audience_name
            )}
            , <DateTime value={found.create_date} />
          </>
        }
        action={<Actions found={found} />}
      />
      <section className={styles.standing} aria-label="Progress">
        <Outcome found={found} />
        {(isRunning || status === 'completed') && (
          <>
            <Progress
              label={`Import of ${found.filename}`}
              done={found.processed_rows}
              total={found.total_rows}
              running={isRunning}
              {...(isRunning ? {} : { parts: partsOf(found) })}
            />
            <StatChips label="What became of the rows" stats={statsOf(found)} />
          </>
        )}
      </section>
    </>
  );
}

const partsOf = (found: AudienceImport) => [
  { key: 'created', label: 'Created', value: found.created_count, tone: 'ok' as const },
  { key: 'updated', label: 'Updated', value: found.updated_count, tone: 'flight' as const },
  { key: 'skipped', label: 'Left as they were', value: found.skipped_count, tone: 'off' as const },
  { key: 'duplicate', label: 'Duplicate', value: found.duplicate_count, tone: 'wait' as const },
  { key: 'invalid', label: 'Invalid', value: found.invalid_count, tone: 'fail' as const },
];

/** What is stored is known when all of it is: until then these figures are still open. */
function statsOf(found: AudienceImport): Stat[] {
  const isDone = found.status === 'completed';
  return partsOf(found).map(({ key, label, value, tone }) => ({
    key,
    label,
    tone,
    value: isDone || key === 'duplicate' || key === 'invalid' ? formatNumber(value) : undefined,
  }));
}

function Outcome({ found }: { found: AudienceImport }) {
  const stored = found.created_count + found.updated_count;
  const refused = found.duplicate_count + found.invalid_count;
  if (found.status === 'mapping')
    return (
      <Notice
        tone="wait"
        action={
          <Button size="xs" component={Link} {...linkToAddress(continueImportPath(found.id))}>
            Choose columns
          </Button>
        }
      >
        {formatCount(found.total_rows, 'row')} wait for their columns to be chosen. Nothing is imported before that.
      </Notice>
    );
  if (found.status === 'failed')
    return (
      <Notice tone="fail" action={<Again found={found} />}>
        {found.error_message ?? 'The file could not be imported'}. Nothing was changed.
      </Notice>
    );
  if (found.status === 'canceled')
    return (
      <Notice tone="info" action={<Again found={found} />}>
        Canceled. Nothing was changed.
      </Notice>
    );
  if (found.status === 'running')
    return <Notice tone="info">You can close this tab: the import goes on without it.</Notice>;
  return (
    <Notice tone={stored === 0 && refused > 0 ? 'wait' : 'ok'} action={found.has_refused && <Refused found={found} />}>
      {formatCount(stored, 'contact')} in {found.audience_name}
      {found.skipped_count > 0 && `, ${formatNumber(found.skipped_count)} were there already and stay as they were`}
      {refused > 0 ? `. ${formatCount(refused, 'row was', 'rows were')} refused; the file says why, row by row.` : '.'}
    </Notice>
  );
}

function Again({ found }: { found: AudienceImport }) {
  return (
    <Button
      size="xs"
      variant="default"
      component={Link}
      {...linkToAddress(found.audience_id ? importIntoPath(found.audience_id) : CREATE_AUDIENCE)}
    >
      Import again
    </Button>
  );
}

function Refused({ found }: { found: AudienceImport }) {
  const [busy, setBusy] = useState(false);
  const download = async () => {
    setBusy(true);
    try {
      const file = await callFile(getRefusedRows, { params: { id: found.id } });
      saveFile(file, `${found.filename.replace(/\.\w{1,5}$/, '')} refused rows.csv`);
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
      Download refused rows ({formatNumber(found.duplicate_count + found.invalid_count)})
    </Button>
  );
}

function Actions({ found }: { found: AudienceImport }) {
  const cancel = useAction(cancelImport);
  if (found.status === 'completed' && found.audience_id)
    return (
      <Button component={Link} to={audiencePath(found.audience_id)}>
        Open audience
      </Button>
    );
  if (found.status !== 'running' && found.status !== 'mapping') return null;
  const ask = async () => {
    const yes = await confirm({
      title: `Cancel the import of ${found.filename}?`,
      consequence: 'Nothing of it stays: the audience is as it was before.',
      action: 'Cancel import',
      cancel: 'Go on',
      danger: true,
    });
    if (yes) cancel.mutate({ params: { id: found.id } });
  };
  return (
    <Allow needs={cancelImport.needs}>
      <Button variant="default" onClick={() => void ask()} loading={cancel.isPending}>
        Cancel import
      </Button>
    </Allow>
  );
}
