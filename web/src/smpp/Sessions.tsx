/** The bound sessions of an SMPP account, which users can disconnect. */
import { disconnectSmppSession, listSmppSessions, type SmppSession } from '@parley/contract/smpp/smpp.ts';
import { IconPlugX } from '@tabler/icons-react';
import { useAction, useEndpoint } from '../kernel/http/query.ts';
import { useReason } from '../kernel/session/session.tsx';
import { DateTime } from '../ui/data/DateTime.tsx';
import { formatNumber } from '../ui/data/format.ts';
import { type Column, DataTable } from '../ui/data/table/DataTable.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { ErrorState } from '../ui/feedback/ErrorState.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';
import { BIND_NAMES } from './words.ts';

const REFRESH_MS = 3_000;

const COLUMNS: Column<SmppSession>[] = [
  {
    key: 'address',
    title: 'IP address',
    card: 'title',
    fixed: true,
    render: (row) => `${row.address}${row.tls ? ' (TLS)' : ''}`,
  },
  { key: 'bind_type', title: 'Bind type', card: 'subtitle', render: (row) => BIND_NAMES[row.bind_type] },
  { key: 'bound', title: 'Bound since', render: (row) => <DateTime value={row.bound_date} /> },
  { key: 'window', title: 'Window', align: 'end', narrow: false, render: (row) => formatNumber(row.window) },
  { key: 'rate', title: 'Per second', align: 'end', render: (row) => row.rate.toFixed(1) },
  { key: 'accepted', title: 'Accepted', align: 'end', render: (row) => formatNumber(row.accepted_count) },
  { key: 'refused', title: 'Refused', align: 'end', render: (row) => formatNumber(row.refused_count) },
  { key: 'delivered', title: 'Delivered', align: 'end', render: (row) => formatNumber(row.delivered_count) },
  {
    key: 'error',
    title: 'Last error',
    width: '100%',
    render: (row) =>
      row.last_error && row.last_error_date ? (
        <>
          <bdi>{row.last_error}</bdi>, <DateTime value={row.last_error_date} />
        </>
      ) : (
        'None'
      ),
  },
];

export function Sessions({ id }: { id: string }) {
  const query = useEndpoint(listSmppSessions, { params: { id } }, { refetchInterval: REFRESH_MS });
  const reason = useReason(disconnectSmppSession);
  const disconnect = useAction(disconnectSmppSession, {
    onSuccess: () => toast.success('The session is being disconnected'),
  });
  return (
    <DataTable
      id="smpp_sessions"
      label="Sessions"
      columns={COLUMNS}
      rows={query.data?.data}
      rowKey={(row) => row.id}
      rowName={(row) => row.address}
      error={
        query.error && !query.data ? (
          <ErrorState title="The sessions could not be loaded" onRetry={() => void query.refetch()}>
            {query.error.message}
          </ErrorState>
        ) : undefined
      }
      empty={<EmptyState title="No sessions are bound">Sessions appear here as soon as a program binds.</EmptyState>}
      actions={[
        {
          key: 'disconnect',
          label: 'Disconnect',
          icon: IconPlugX,
          danger: true,
          reason: () => reason,
          onSelect: (row) => disconnect.mutate({ params: { id, session_id: row.id } }),
        },
      ]}
      skeletonRows={1}
      grow
    />
  );
}
