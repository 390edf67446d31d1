import { Button } from '@mantine/core';
import {
  createExportDestination,
  DESTINATION_STATUS,
  type ExportDestination,
  listExportDestinations,
  removeExportDestination,
  testExportDestination,
} from '@parley/contract/exports/destinations.ts';
import { IconPencil, IconPlugConnected, IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useAction, useEndpoint } from '../kernel/http/query.ts';
import { Allow } from '../kernel/session/allow.tsx';
import { useReason } from '../kernel/session/session.tsx';
import { DateTime } from '../ui/data/DateTime.tsx';
import { formatNumber } from '../ui/data/format.ts';
import { StatusBadge } from '../ui/data/StatusBadge.tsx';
import type { Column, RowAction } from '../ui/data/table/DataTable.tsx';
import { DataTable } from '../ui/data/table/DataTable.tsx';
import { confirm } from '../ui/feedback/Confirm.tsx';
import { lazyPart } from '../ui/feedback/lazy_part.ts';
import { OnceOpen } from '../ui/feedback/OnceOpen.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';
import styles from './Exports.module.css';

const ServerDialog = lazyPart(() => import('./ServerDialog.tsx'));
const BucketDialog = lazyPart(() => import('./BucketDialog.tsx'));

/** The host and the user of a server, or the path in a store. */
const describePlace = (row: ExportDestination): string =>
  row.type === 'sftp'
    ? `${row.username}@${row.host}:${row.port}`
    : [row.endpoint ? new URL(row.endpoint).host : 'Amazon S3', row.bucket, row.folder].filter(Boolean).join('/');

const COLUMNS: Column<ExportDestination>[] = [
  { key: 'name', title: 'Name', card: 'title', fixed: true, render: (row) => <bdi>{row.name}</bdi> },
  {
    key: 'status',
    title: 'Status',
    card: 'corner',
    fixed: true,
    render: (row) => <StatusBadge {...DESTINATION_STATUS[row.status]} reason={row.error_message} />,
  },
  {
    key: 'place',
    title: 'Location',
    card: 'subtitle',
    render: (row) => <bdi>{describePlace(row)}</bdi>,
  },
  { key: 'waiting', title: 'Waiting files', align: 'end', render: (row) => formatNumber(row.waiting_count) },
  { key: 'file', title: 'Last file', narrow: false, render: (row) => row.last_file ?? '\u2013' },
  { key: 'last', title: 'Last upload', narrow: false, render: (row) => <DateTime value={row.last_upload_date} /> },
];

/** A test with the saved settings and the stored secret. */
function toSavedTest(row: ExportDestination) {
  const { id: destination_id, folder } = row;
  if (row.type === 's3') {
    const { type, endpoint, region, bucket, access_key_id } = row;
    return { type, endpoint, region, bucket, access_key_id, folder, destination_id };
  }
  const { type, host, port, username, host_key_type, host_key_fingerprint } = row;
  return { type, host, port, username, host_key_type, host_key_fingerprint, folder, destination_id };
}

function useRowActions(edit: (row: ExportDestination) => void): RowAction<ExportDestination>[] {
  const missing = useReason('WEBHOOKS:edit');
  const mayNotDelete = useReason('WEBHOOKS:delete');
  const test = useAction(testExportDestination, {
    invalidates: ['export_destinations'],
    onSuccess: () => toast.success('The connection works. Waiting files are uploaded within a minute.'),
  });
  const remove = useAction(removeExportDestination, {
    onSuccess: () => toast.success('The destination was deleted.'),
  });
  const confirmRemove = async ({ id, name }: ExportDestination) => {
    const isConfirmed = await confirm({
      title: `Delete the destination “${name}”?`,
      consequence: 'Its password or key is deleted. Files waiting to be uploaded stay on this page.',
      action: 'Delete destination',
      danger: true,
    });
    if (isConfirmed) remove.mutate({ params: { id } });
  };
  return [
    {
      key: 'test',
      label: 'Test connection',
      icon: IconPlugConnected,
      reason: () => missing,
      onSelect: (row) => test.mutate({ body: toSavedTest(row) }),
    },
    { key: 'edit', label: 'Edit', icon: IconPencil, reason: () => missing, onSelect: edit },
    {
      key: 'remove',
      label: 'Delete',
      icon: IconTrash,
      danger: true,
      reason: () => mayNotDelete,
      onSelect: (row) => void confirmRemove(row),
    },
  ];
}

/** A destination to edit, or the type of a new one. */
type Editing = ExportDestination | ExportDestination['type'] | undefined;
const TYPES = [
  { type: 'sftp', label: 'Add SFTP server' },
  { type: 's3', label: 'Add S3 bucket' },
] as const;

/** The row for the dialog of a type: null for a new one, and undefined if the dialog is closed. */
function rowToEdit<Type extends ExportDestination['type']>(editing: Editing, type: Type) {
  if (editing === type) return null;
  const isRow = typeof editing === 'object' && editing.type === type;
  return isRow ? (editing as Extract<ExportDestination, { type: Type }>) : undefined;
}

/** The SFTP servers and S3 buckets that receive scheduled exports. Hidden from users who may not view them. */
export function Destinations() {
  const isHidden = useReason(listExportDestinations) !== null;
  const rows = useEndpoint(listExportDestinations, {}, { enabled: !isHidden }).data?.data;
  const [editing, setEditing] = useState<Editing>();
  const close = () => setEditing(undefined);
  const server = rowToEdit(editing, 'sftp');
  const bucket = rowToEdit(editing, 's3');
  const actions = useRowActions(setEditing);
  if (isHidden || !rows) return null;
  return (
    <section aria-label="Export destinations" className={styles.schedules}>
      <div className={styles.bar}>
        <h2 className={styles.heading}>Export destinations</h2>
        <Allow needs={createExportDestination}>
          <div className={styles.adding}>
            {TYPES.map(({ type, label }) => (
              <Button
                key={type}
                variant="default"
                size="xs"
                leftSection={<IconPlus size={15} aria-hidden />}
                onClick={() => setEditing(type)}
              >
                {label}
              </Button>
            ))}
          </div>
        </Allow>
      </div>
      {rows.length === 0 ? (
        <p className={styles.hint}>
          Scheduled exports can be uploaded to your SFTP server or S3 bucket instead of being sent as links.
        </p>
      ) : (
        <DataTable
          id="export_destinations"
          label="Export destinations"
          columns={COLUMNS}
          rows={rows}
          rowKey={(row) => row.id}
          rowName={(row) => row.name}
          actions={actions}
          grow
          empty={null}
        />
      )}
      <OnceOpen open={server !== undefined} onClose={close}>
        <ServerDialog destination={server} onClose={close} />
      </OnceOpen>
      <OnceOpen open={bucket !== undefined} onClose={close}>
        <BucketDialog destination={bucket} onClose={close} />
      </OnceOpen>
    </section>
  );
}
