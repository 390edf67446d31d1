import { Button } from '@mantine/core';
import {
  BIND_STATE,
  type Connection,
  createConnection,
  listConnections,
  updateConnection,
} from '@parley/contract/connections/connections.ts';
import type { SortName } from '@parley/contract/endpoint.ts';
import { IconPencil, IconPlayerPause, IconPlayerPlay, IconPlugConnected, IconPlus } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { ListTable } from '../../kernel/list/ListTable.tsx';
import { useList } from '../../kernel/list/list.tsx';
import { usePanel } from '../../kernel/list/panel.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import { useReason } from '../../kernel/session/session.tsx';
import { ADD_CONNECTION, connectionPath } from '../../paths.ts';
import { formatNumber } from '../../ui/data/format.ts';
import { StatusBadge } from '../../ui/data/StatusBadge.tsx';
import type { Column } from '../../ui/data/table/DataTable.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import styles from '../Admin.module.css';
import { connectionAddress, dailyLabel, summarizeBinds } from './binds.ts';
import { ConnectionPanel } from './ConnectionPanel.tsx';
import { useConnectionSwitch } from './connection_switch.ts';

const FILTERS = ['search'] as const;
/** The figures are polled. Bind state changes also arrive as events. */
const REFRESH_MS = 2_000;

function Figure({ value }: { value: number }) {
  return <span className={value === 0 ? styles.idle : styles.number}>{formatNumber(value)}</span>;
}

const COLUMNS: Column<Connection, SortName<typeof listConnections>>[] = [
  {
    key: 'name',
    title: 'Name',
    sort: 'name',
    fixed: true,
    render: (row) => <span className={styles.name}>{row.name}</span>,
  },
  {
    key: 'binds',
    title: 'Binds',
    card: 'corner',
    fixed: true,
    render: (row) => {
      const { state, reason, bound, configured } = summarizeBinds(row);
      return (
        <span className={styles.binds}>
          <StatusBadge {...BIND_STATE[state]} reason={reason} />
          {row.enabled && <span className={styles.count}>{`${bound} of ${configured}`}</span>}
        </span>
      );
    },
  },
  {
    key: 'address',
    title: 'Address',
    card: 'subtitle',
    narrow: false,
    render: (row) => <span className={styles.address}>{connectionAddress(row)}</span>,
  },
  {
    key: 'window',
    title: 'Window',
    align: 'end',
    narrow: false,
    render: (row) => {
      const { in_flight, window } = summarizeBinds(row);
      return <span className={in_flight === 0 ? styles.idle : styles.number}>{`${in_flight} of ${window}`}</span>;
    },
  },
  {
    key: 'rate',
    title: 'Per second',
    align: 'end',
    narrow: false,
    render: (row) => <Figure value={summarizeBinds(row).rate_per_second} />,
  },
  {
    key: 'today',
    title: 'Today',
    align: 'end',
    narrow: false,
    render: (row) => <span className={styles.number}>{dailyLabel(row) ?? '–'}</span>,
  },
  { key: 'queued', title: 'Queued', sort: 'queued', align: 'end', render: (row) => <Figure value={row.queued} /> },
];

export default function ConnectionsPage() {
  const navigate = useNavigate();
  const panel = usePanel();
  const list = useList(listConnections, { filters: FILTERS, subject: 'The connections', refetchInterval: REFRESH_MS });
  const { toggle, resume, isToggling } = useConnectionSwitch();
  const editReason = useReason(updateConnection.needs);
  const add = (
    <Allow needs={createConnection.needs}>
      <Button component={Link} to={ADD_CONNECTION} leftSection={<IconPlus size={16} aria-hidden />}>
        Connect a provider
      </Button>
    </Allow>
  );
  const opened = list.rows?.find(({ id }) => id === panel.id) ?? null;
  return (
    <>
      <PageHeader
        title="Connections"
        description="Connections to carriers for outbound messages, delivery receipts, and inbound messages."
        action={add}
      />
      <ListTable
        id="connections"
        label="Connections"
        noun="connections"
        list={list}
        search="Search by name"
        columns={COLUMNS}
        rowKey={(row) => row.id}
        rowName={(row) => row.name}
        onOpen={(row) => panel.open(row.id)}
        openKey={panel.id}
        actions={[
          {
            key: 'edit',
            label: 'Edit',
            icon: IconPencil,
            reason: () => editReason,
            onSelect: (row) => void navigate({ to: connectionPath(row.id) }),
          },
          {
            key: 'disable',
            label: 'Disable',
            icon: IconPlayerPause,
            isOffered: (row) => row.enabled,
            reason: () => editReason,
            onSelect: toggle,
          },
          {
            key: 'enable',
            label: 'Enable',
            icon: IconPlayerPlay,
            isOffered: (row) => !row.enabled,
            reason: () => editReason,
            onSelect: toggle,
          },
        ]}
        empty={
          <EmptyState icon={IconPlugConnected} title="No connections yet" action={add}>
            To start sending, connect a provider and add a route that uses it.
          </EmptyState>
        }
        emptyFiltered={
          <EmptyState icon={IconPlugConnected} title="No connections match your search">
            Clear the search or try another name.
          </EmptyState>
        }
      />
      <ConnectionPanel
        connection={opened}
        onClose={panel.close}
        onToggle={toggle}
        onResume={resume}
        isToggling={isToggling}
      />
    </>
  );
}
