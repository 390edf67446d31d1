import { USER_STATUS, USER_STATUSES } from '@parley/contract/accounts/accounts.ts';
import type { SortName } from '@parley/contract/endpoint.ts';
import { listUsers, type TeamUser } from '@parley/contract/team/team.ts';
import { IconBan, IconLockOpen, IconPencil, IconTrash, IconUsers } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { ExportMenu } from '../exports/ExportMenu.tsx';
import { useEndpoint } from '../kernel/http/query.ts';
import { ListTable } from '../kernel/list/ListTable.tsx';
import { useList } from '../kernel/list/list.tsx';
import { usePanel } from '../kernel/list/panel.ts';
import { useSession } from '../kernel/session/session.tsx';
import { userPath } from '../paths.ts';
import { DateTime } from '../ui/data/DateTime.tsx';
import { StatusBadge, ToneBadge } from '../ui/data/StatusBadge.tsx';
import type { Column, RowAction } from '../ui/data/table/DataTable.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { BlockDialog } from './BlockDialog.tsx';
import { roleLabel } from './roles.ts';
import styles from './Team.module.css';
import { UserPanel } from './UserPanel.tsx';
import { userName, useUserActions } from './user_actions.ts';

const FILTERS = ['search', 'statuses', 'positions'] as const;
const STATUSES = USER_STATUSES.map((value) => ({ value, label: USER_STATUS[value].label }));

const COLUMNS: Column<TeamUser, SortName<typeof listUsers>>[] = [
  { key: 'name', title: 'Name', sort: 'name', fixed: true, width: '100%', render: (row) => <Person user={row} /> },
  {
    key: 'status',
    title: 'Status',
    sort: 'status',
    // Beside the name, the badge would leave too little room for an email address.
    card: 'subtitle',
    fixed: true,
    render: (row) => <StatusBadge {...USER_STATUS[row.status]} reason={row.block_reason || null} />,
  },
  { key: 'role', title: 'Role', narrow: false, render: (row) => roleLabel(row.permissions, row.is_owner) },
  { key: 'position', title: 'Position', sort: 'position', narrow: false, render: (row) => row.position || '–' },
  {
    key: 'second_factor',
    title: '2FA',
    narrow: false,
    render: (row) => (row.second_factor ? 'On' : '–'),
  },
  {
    key: 'seen',
    title: 'Last seen',
    sort: 'last_seen_date',
    narrow: false,
    render: (row) => (row.last_seen_date ? <DateTime value={row.last_seen_date} /> : 'Never'),
  },
];

function Person({ user }: { user: TeamUser }) {
  const { user: self } = useSession();
  return (
    <span className={styles.person}>
      <span className={styles.name}>
        {userName(user)} {user.id === self.id && <ToneBadge tone="accent">You</ToneBadge>}
      </span>
      {user.full_name.trim() !== '' && <span className={styles.email}>{user.email}</span>}
    </span>
  );
}

type UserActions = ReturnType<typeof useUserActions>;

function useRowActions(actions: UserActions, onBlock: (user: TeamUser) => void): RowAction<TeamUser>[] {
  const navigate = useNavigate();
  return [
    {
      key: 'edit',
      label: 'Edit',
      icon: IconPencil,
      reason: () => actions.editReason,
      onSelect: (row) => void navigate({ href: userPath(row.id) }),
    },
    {
      key: 'block',
      label: 'Block',
      icon: IconBan,
      isOffered: (row) => !row.blocked,
      reason: actions.blockReason,
      onSelect: onBlock,
    },
    {
      key: 'unblock',
      label: 'Unblock',
      icon: IconLockOpen,
      isOffered: (row) => row.blocked,
      reason: actions.blockReason,
      onSelect: actions.unblock,
    },
    {
      key: 'delete',
      label: 'Delete',
      icon: IconTrash,
      danger: true,
      reason: actions.deleteReason,
      onSelect: (row) => void actions.remove(row),
    },
  ];
}

export function UsersTable({ add }: { add: ReactElement }) {
  const panel = usePanel();
  const list = useList(listUsers, { filters: FILTERS, subject: 'The users' });
  const allUsers = useEndpoint(listUsers, { query: { page_size: 300 } }).data?.data ?? [];
  const positions = [...new Set(allUsers.map(({ position }) => position).filter(Boolean))].sort();
  const actions = useUserActions(panel.close);
  const [blocking, setBlocking] = useState<TeamUser | null>(null);
  const rowActions = useRowActions(actions, setBlocking);
  const opened = list.rows?.find(({ id }) => id === panel.id) ?? null;
  return (
    <>
      <ListTable
        id="users"
        label="Users"
        noun="users"
        list={list}
        search="Search by name or email"
        facets={[
          { key: 'statuses', label: 'Status', options: STATUSES },
          ...(positions.length > 0
            ? [{ key: 'positions', label: 'Position', options: positions.map((value) => ({ value, label: value })) }]
            : []),
        ]}
        columns={COLUMNS}
        rowKey={(row) => row.id}
        rowName={userName}
        tools={<ExportMenu name="users" list={list} table="users" columns={COLUMNS} />}
        onOpen={(row) => panel.open(row.id)}
        openKey={panel.id}
        actions={rowActions}
        empty={
          <EmptyState icon={IconUsers} title="No users yet" action={add}>
            Invite your team. Each user has their own permissions.
          </EmptyState>
        }
        emptyFiltered={
          <EmptyState icon={IconUsers} title="No users match these filters">
            Clear a filter, or search by name or email address.
          </EmptyState>
        }
      />
      <UserPanel user={opened} onClose={panel.close} onBlock={setBlocking} actions={actions} />
      <BlockDialog
        user={blocking}
        busy={actions.busy}
        onClose={() => setBlocking(null)}
        onBlock={(user, reason) => actions.block(user, reason, () => setBlocking(null))}
      />
    </>
  );
}
