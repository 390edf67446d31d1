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

const DestinationDialog = lazyPart(() => import('./DestinationDialog.tsx'));

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
    key: 'server',
    title: 'Server',
    card: 'subtitle',
    render: (row) => <bdi>{`${row.username}@${row.host}:${row.port}`}</bdi>,
  },
  { key: 'waiting', title: 'Waiting files', align: 'end', render: (row) => formatNumber(row.waiting_count) },
  { key: 'file', title: 'Last file', narrow: false, render: (row) => row.last_file ?? '\u2013' },
  { key: 'last', title: 'Last upload', narrow: false, render: (row) => <DateTime value={row.last_upload_date} /> },
];

function useRowActions(edit: (row: ExportDestination) => void): RowAction<ExportDestination>[] {
  const missing = useReason('WEBHOOKS:edit');
  const mayNotDelete = useReason('WEBHOOKS:delete');
  const test = useAction(testExportDestination, {
    invalidates: ['export_destinations'],
    onSuccess: () => toast.success('The connection works. Waiting files are uploaded within a minute.'),
  });
  const remove = useAction(removeExportDestination, {
    onSuccess: () => toast.success('The SFTP server was deleted.'),
  });
  const confirmRemove = async ({ id, name }: ExportDestination) => {
    const isConfirmed = await confirm({
      title: `Delete the SFTP server “${name}”?`,
      consequence: 'Its password or private key is deleted. Files waiting to be uploaded stay on this page.',
      action: 'Delete SFTP server',
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
      onSelect: ({ id, host, port, username, folder, host_key_type, host_key_fingerprint }) =>
        test.mutate({
          body: { host, port, username, folder, host_key_type, host_key_fingerprint, destination_id: id },
        }),
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

/** The SFTP servers that receive scheduled exports. Hidden from users who may not view them. */
export function Destinations() {
  const isHidden = useReason(listExportDestinations) !== null;
  const rows = useEndpoint(listExportDestinations, {}, { enabled: !isHidden }).data?.data;
  // Null for a new server.
  const [editing, setEditing] = useState<ExportDestination | null | undefined>();
  const actions = useRowActions(setEditing);
  if (isHidden || !rows) return null;
  return (
    <section aria-label="SFTP servers" className={styles.schedules}>
      <div className={styles.bar}>
        <h2 className={styles.heading}>SFTP servers</h2>
        <Allow needs={createExportDestination}>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={15} aria-hidden />}
            onClick={() => setEditing(null)}
          >
            Add SFTP server
          </Button>
        </Allow>
      </div>
      {rows.length === 0 ? (
        <p className={styles.hint}>Scheduled exports can be uploaded to your server instead of being sent as links.</p>
      ) : (
        <DataTable
          id="export_destinations"
          label="SFTP servers"
          columns={COLUMNS}
          rows={rows}
          rowKey={(row) => row.id}
          rowName={(row) => row.name}
          actions={actions}
          grow
          empty={null}
        />
      )}
      <OnceOpen open={editing !== undefined} onClose={() => setEditing(undefined)}>
        <DestinationDialog destination={editing} onClose={() => setEditing(undefined)} />
      </OnceOpen>
    </section>
  );
}
