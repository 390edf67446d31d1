import { Button } from '@mantine/core';
import {
  createSmppAccount,
  listSmppAccounts,
  SMPP_STATUS,
  type SmppAccount,
  updateSmppAccount,
} from '@parley/contract/smpp/smpp.ts';
import { IconPencil, IconPlugConnected, IconPlus } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { ListTable } from '../kernel/list/ListTable.tsx';
import { useList } from '../kernel/list/list.tsx';
import { routeReason } from '../kernel/session/routes.tsx';
import { useReason, useSession } from '../kernel/session/session.tsx';
import styles from '../keys/Keys.module.css';
import { DateTime } from '../ui/data/DateTime.tsx';
import { formatNumber } from '../ui/data/format.ts';
import { StatusBadge } from '../ui/data/StatusBadge.tsx';
import type { Column } from '../ui/data/table/DataTable.tsx';
import { Disabled } from '../ui/feedback/Disabled.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { PageHeader } from '../ui/layout/PageHeader.tsx';
import { CREATE_SMPP_ACCOUNT, smppAccountPath } from './addresses.ts';

const FILTERS = ['search'] as const;
const REFRESH_MS = 10_000;

const COLUMNS: Column<SmppAccount>[] = [
  { key: 'name', title: 'Name', fixed: true, card: 'title', width: '100%', render: (row) => <bdi>{row.name}</bdi> },
  {
    key: 'system_id',
    title: 'System ID',
    fixed: true,
    card: 'subtitle',
    render: (row) => <code className={styles.key}>{row.system_id}</code>,
    renderCard: (row) => row.system_id,
  },
  { key: 'status', title: 'Status', card: 'corner', render: (row) => <StatusBadge {...SMPP_STATUS[row.status]} /> },
  {
    key: 'sessions',
    title: 'Sessions',
    align: 'end',
    render: (row) => `${formatNumber(row.bound_count)} of ${formatNumber(row.max_binds)}`,
  },
  { key: 'pending', title: 'Waiting', align: 'end', narrow: false, render: (row) => formatNumber(row.pending_count) },
  {
    key: 'bound',
    title: 'Last bound',
    narrow: false,
    render: (row) => (row.last_bound_date ? <DateTime value={row.last_bound_date} /> : 'Never'),
  },
];

export function SmppAccountsPage() {
  const session = useSession();
  const navigate = useNavigate();
  const list = useList(listSmppAccounts, {
    filters: FILTERS,
    subject: 'The SMPP accounts',
    refetchInterval: REFRESH_MS,
  });
  const editReason = useReason(updateSmppAccount);
  const open = (row: SmppAccount) => void navigate({ to: smppAccountPath(row.id) });
  const add = (
    <Disabled reason={routeReason({ needs: createSmppAccount.needs }, session)}>
      <Button component={Link} to={CREATE_SMPP_ACCOUNT} leftSection={<IconPlus size={16} aria-hidden />}>
        Create SMPP account
      </Button>
    </Disabled>
  );
  return (
    <>
      <PageHeader
        title="SMPP accounts"
        description="Programs bind with these accounts to send and receive SMS over SMPP 3.4."
        action={add}
      />
      <ListTable
        id="smpp_accounts"
        label="SMPP accounts"
        noun="SMPP accounts"
        list={list}
        search="Name or system ID"
        columns={COLUMNS}
        rowKey={(row) => row.id}
        rowName={(row) => row.name}
        {...(editReason === null ? { onOpen: open } : {})}
        actions={[{ key: 'edit', label: 'Open', icon: IconPencil, reason: () => editReason, onSelect: open }]}
        empty={
          <EmptyState icon={IconPlugConnected} title="No SMPP accounts yet" action={add}>
            Create an account for each program that connects over SMPP. Messages have the same prices and limits as API
            messages.
          </EmptyState>
        }
      />
    </>
  );
}
