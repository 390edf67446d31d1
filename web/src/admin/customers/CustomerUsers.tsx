import { USER_STATUS } from '@parley/contract/accounts/accounts.ts';
import {
  blockCustomerUser,
  type Customer,
  createAuthSession,
  listCustomerUsers,
} from '@parley/contract/admin/customers.ts';
import type { SortName } from '@parley/contract/endpoint.ts';
import type { TeamUser } from '@parley/contract/team/team.ts';
import { IconBan, IconLockOpen, IconUserShield, IconUsers } from '@tabler/icons-react';
import { ListTable } from '../../kernel/list/ListTable.tsx';
import { useList } from '../../kernel/list/list.tsx';
import { useReason, useSession } from '../../kernel/session/session.tsx';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { PhoneNumber } from '../../ui/data/PhoneNumber.tsx';
import { StatusBadge, ToneBadge } from '../../ui/data/StatusBadge.tsx';
import type { Column } from '../../ui/data/table/DataTable.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import styles from '../Admin.module.css';
import { enterReason } from '../account_words.ts';

const FILTERS = ['search'] as const;

const COLUMNS: Column<TeamUser, SortName<typeof listCustomerUsers>>[] = [
  {
    key: 'name',
    title: 'Name',
    sort: 'name',
    fixed: true,
    width: '100%',
    render: (row) => (
      <span className={styles.stack}>
        <span className={styles.name}>
          {row.full_name.trim() || row.email} {row.is_owner && <ToneBadge tone="accent">Owner</ToneBadge>}
        </span>
        {row.full_name.trim() !== '' && <span className={styles.under}>{row.email}</span>}
      </span>
    ),
  },
  {
    key: 'status',
    title: 'Status',
    sort: 'status',
    card: 'corner',
    fixed: true,
    render: (row) => <StatusBadge {...USER_STATUS[row.status]} reason={row.block_reason || null} />,
  },
  {
    key: 'phone',
    title: 'Phone',
    narrow: false,
    render: (row) => (row.phone_number ? <PhoneNumber value={row.phone_number} /> : '–'),
  },
  {
    key: 'position',
    title: 'Position',
    sort: 'position',
    card: 'hidden',
    narrow: false,
    render: (row) => row.position || '–',
  },
  {
    key: 'second_factor',
    title: '2FA',
    card: 'hidden',
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

interface CustomerUsersProps {
  customer: Customer;
  onBlock: (user: TeamUser) => void;
  onEnter: (user_id: string) => void;
}

export function CustomerUsers({ customer, onBlock, onEnter }: CustomerUsersProps) {
  const { user: self } = useSession();
  const list = useList(listCustomerUsers, { params: { id: customer.id }, filters: FILTERS, subject: 'The users' });
  const blockReason = useReason(blockCustomerUser.needs);
  const sessionReason = useReason(createAuthSession.needs);
  const rowBlockReason = (row: TeamUser) =>
    blockReason ??
    (customer.operator
      ? 'Operators are managed under Users.'
      : row.id === self.id
        ? 'You cannot block yourself.'
        : row.blocked && !row.blocked_by_operator
          ? 'Blocked by their company. Only the company can unblock them.'
          : null);
  const rowEnterReason = (row: TeamUser) =>
    sessionReason ??
    enterReason(customer) ??
    (row.blocked ? 'The user is blocked.' : row.status === 'NEW' ? 'They have not signed in yet.' : null);
  return (
    <ListTable
      id="customer_users"
      label={`Users at ${customer.company_name}`}
      noun="users"
      list={list}
      search="Search by name or email"
      columns={COLUMNS}
      rowKey={(row) => row.id}
      rowName={(row) => row.full_name.trim() || row.email}
      actions={[
        {
          key: 'enter',
          label: 'Act as this user',
          icon: IconUserShield,
          reason: rowEnterReason,
          onSelect: (row) => onEnter(row.id),
        },
        {
          key: 'block',
          label: 'Block',
          icon: IconBan,
          isOffered: (row) => !row.blocked,
          reason: rowBlockReason,
          onSelect: onBlock,
        },
        {
          key: 'unblock',
          label: 'Unblock',
          icon: IconLockOpen,
          isOffered: (row) => row.blocked,
          reason: rowBlockReason,
          onSelect: onBlock,
        },
      ]}
      empty={<EmptyState icon={IconUsers} title="No users yet" />}
      emptyFiltered={
        <EmptyState icon={IconUsers} title="No users match your search">
          Clear the search or try another name or email address.
        </EmptyState>
      }
    />
  );
}
