import { Button } from '@mantine/core';
import {
  type Connection,
  createConnection,
  listConnections,
  updateConnection,
} from '@parley/contract/connections/connections.ts';
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
import { ConnectionPanel } from './ConnectionPanel.tsx';
import { addressOf, summarize } from './lines.ts';
import { useSwitch } from './switch.ts';

const FILTERS = ['search'] as const;
/** States and figures move all the time; whether a line is up is told by an event at once. */
const REFRESH_MS = 2_000;

function Figure({ value }: { value: number }) {
  return <span className={value === 0 ? styles.idle : styles.number}>{formatNumber(value)}</span>;
}

const COLUMNS: Column<Connection>[] = [
  { key: 'name', title: 'Name', fixed: true, render: (row) => <span className={styles.name}>{row.name}</span> },
  {
    key: 'lines',
    title: 'Lines',
    fixed: true,
    render: (row) => {
      const { state, reason, up, wanted } = summarize(row);
      return (
        <span className={styles.lines}>
          <StatusBadge status={state} reason={reason} />
          {row.enabled && <span className={styles.count}>{`${up} of ${wanted}`}</span>}
        </span>
      );
    },
  },
  {
    key: 'address',
    title: 'Address',
    narrow: false,
    render: (row) => <span className={styles.address}>{addressOf(row)}</span>,
  },
  {
    key: 'window',
    title: 'Window',
    align: 'end',
    narrow: false,
    render: (row) => {
      const { in_flight, window } = summarize(row);
      return <span className={in_flight === 0 ? styles.idle : styles.number}>{`${in_flight} of ${window}`}</span>;
    },
  },
  {
    key: 'rate',
    title: 'Per second',
    align: 'end',
    narrow: false,
    render: (row) => <Figure value={summarize(row).rate_per_second} />,
  },
  { key: 'queued', title: 'Queued', align: 'end', render: (row) => <Figure value={row.queued} /> },
];

export default function ConnectionsPage() {
  const navigate = useNavigate();
  const panel = usePanel();
  const list = useList(listConnections, { filters: FILTERS, subject: 'The connections', refetchInterval: REFRESH_MS });
  const { turn, turning } = useSwitch();
  const mayEdit = useReason(updateConnection.needs);
  const add = (
    <Allow needs={createConnection.needs}>
      <Button component={Link} to={ADD_CONNECTION} leftSection={<IconPlus size={16} aria-hidden />}>
        Add connection
      </Button>
    </Allow>
  );
  const opened = list.rows?.find(({ id }) => id === panel.id) ?? null;
  return (
    <>
      <PageHeader
        title="Connections"
        description="Lines to the carriers that take our messages and bring back receipts and answers."
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
            reason: () => mayEdit,
            onSelect: (row) => void navigate({ to: connectionPath(row.id) }),
          },
          {
            key: 'disable',
            label: 'Disable',
            icon: IconPlayerPause,
            isOffered: (row) => row.enabled,
            reason: () => mayEdit,
            onSelect: turn,
          },
          {
            key: 'enable',
            label: 'Enable',
            icon: IconPlayerPlay,
            isOffered: (row) => !row.enabled,
            reason: () => mayEdit,
            onSelect: turn,
          },
        ]}
        empty={
          <EmptyState icon={IconPlugConnected} title="No carrier yet" action={add}>
            Nothing can be sent before there is a connection to a carrier and a route that leads to it.
          </EmptyState>
        }
        emptyFiltered={
          <EmptyState icon={IconPlugConnected} title="No connection of that name">
            The search looks at the names of connections.
          </EmptyState>
        }
      />
      <ConnectionPanel connection={opened} onClose={panel.close} onSwitch={turn} switching={turning} />
    </>
  );
}
