import { Button } from '@mantine/core';
import { ACCOUNT_STATUS } from '@parley/contract/accounts/accounts.ts';
import { updateRefill } from '@parley/contract/billing/refills.ts';
import { createTransfer } from '@parley/contract/billing/transfers.ts';
import type { SortName } from '@parley/contract/endpoint.ts';
import { getCountryExceptions } from '@parley/contract/guard/overrides.ts';
import {
  createSubAccount,
  listSubAccounts,
  removeSubAccount,
  type SubAccount,
  updateSubAccount,
} from '@parley/contract/team/subaccounts.ts';
import {
  IconBan,
  IconBuildingCommunity,
  IconCoins,
  IconDoorEnter,
  IconGauge,
  IconLockOpen,
  IconPencil,
  IconPlus,
  IconRefresh,
  IconTrash,
} from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { ListTable } from '../kernel/list/ListTable.tsx';
import { useList } from '../kernel/list/list.tsx';
import { usePanel } from '../kernel/list/panel.ts';
import { routeReason } from '../kernel/session/routes.tsx';
import { useReason, useSession } from '../kernel/session/session.tsx';
import { DateTime } from '../ui/data/DateTime.tsx';
import { formatNumber } from '../ui/data/format.ts';
import { StatusBadge } from '../ui/data/StatusBadge.tsx';
import type { Column, RowAction } from '../ui/data/table/DataTable.tsx';
import { moneyColumn } from '../ui/data/table/money_column.tsx';
import { Disabled } from '../ui/feedback/Disabled.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { lazyPart } from '../ui/feedback/lazy_part.ts';
import { countryName } from '../ui/form/countries.ts';
import { PageHeader } from '../ui/layout/PageHeader.tsx';
import styles from './Accounts.module.css';
import { CloseSubAccount } from './CloseSubAccount.tsx';
import { RefillDialog } from './RefillDialog.tsx';
import { type DialogTarget, SubAccountDialog } from './SubAccountDialog.tsx';
import { SubAccountPanel } from './SubAccountPanel.tsx';
import { useSubAccountActions } from './sub_account_actions.ts';
import { TransferDialog } from './TransferDialog.tsx';

const SubAccountLimits = lazyPart(() => import('./SubAccountLimits.tsx'));
const FILTERS = ['search'] as const;

const COLUMNS: Column<SubAccount, SortName<typeof listSubAccounts>>[] = [
  {
    key: 'name',
    title: 'Company',
    sort: 'company_name',
    fixed: true,
    width: '100%',
    render: (row) => (
      <span className={styles.company}>
        <span className={styles.name}>{row.company_name}</span>
        <span className={styles.dim}>{row.owner_email}</span>
      </span>
    ),
  },
  {
    key: 'status',
    title: 'Status',
    sort: 'status',
    card: 'corner',
    fixed: true,
    render: (row) => <StatusBadge {...ACCOUNT_STATUS[row.status]} />,
  },
  {
    key: 'country',
    title: 'Country',
    sort: 'country_code',
    narrow: false,
    render: (row) => countryName(row.country_code),
  },
  moneyColumn<SubAccount, SortName<typeof listSubAccounts>>({
    key: 'balance',
    title: 'Balance',
    micros: (row) => row.available_micros,
    currency: (row) => row.currency,
  }),
  {
    key: 'users',
    title: 'Users',
    sort: 'users_count',
    align: 'end',
    narrow: false,
    render: (row) => <span className="tabular">{formatNumber(row.users_count)}</span>,
  },
  {
    key: 'created',
    title: 'Created',
    sort: 'create_date',
    narrow: false,
    render: (row) => <DateTime value={row.create_date} />,
  },
];

interface RowActionsOptions {
  actions: ReturnType<typeof useSubAccountActions>;
  editReason: string | null;
  onEdit: (account: SubAccount) => void;
  onTransfer: (account: SubAccount) => void;
  onRefill: (account: SubAccount) => void;
  onLimits: (account: SubAccount) => void;
  onClose: (account: SubAccount) => void;
}

function useRowActions({
  actions,
  editReason,
  onEdit,
  onTransfer,
  onRefill,
  onLimits,
  onClose,
}: RowActionsOptions): RowAction<SubAccount>[] {
  const closeReason = useReason(removeSubAccount);
  const transferReason = useReason(createTransfer);
  const refillReason = useReason(updateRefill);
  const limitsReason = useReason(getCountryExceptions);
  return [
    {
      key: 'enter',
      label: 'Switch to sub-account',
      icon: IconDoorEnter,
      reason: (row) => editReason ?? actions.enterReason(row),
      onSelect: actions.enter,
    },
    { key: 'edit', label: 'Edit', icon: IconPencil, reason: () => editReason, onSelect: onEdit },
    {
      key: 'transfer',
      label: 'Transfer funds',
      icon: IconCoins,
      reason: () => transferReason,
      onSelect: onTransfer,
    },
    {
      key: 'refill',
      label: 'Automatic refill',
      icon: IconRefresh,
      reason: () => refillReason,
      onSelect: onRefill,
    },
    { key: 'limits', label: 'Limits', icon: IconGauge, reason: () => limitsReason, onSelect: onLimits },
    {
      key: 'block',
      label: 'Block',
      icon: IconBan,
      isOffered: (row) => row.status !== 'BLOCKED',
      reason: () => editReason,
      onSelect: (row) => void actions.block(row),
    },
    {
      key: 'unblock',
      label: 'Unblock',
      icon: IconLockOpen,
      isOffered: (row) => row.status === 'BLOCKED',
      reason: () => editReason,
      onSelect: actions.unblock,
    },
    { key: 'close', label: 'Close', icon: IconTrash, danger: true, reason: () => closeReason, onSelect: onClose },
  ];
}

export default function SubAccountsPage() {
  const session = useSession();
  const panel = usePanel();
  const list = useList(listSubAccounts, { filters: FILTERS, subject: 'The sub-accounts' });
  const actions = useSubAccountActions();
  const [target, setTarget] = useState<DialogTarget>(null);
  const [paying, setPaying] = useState<SubAccount | null>(null);
  const [refilling, setRefilling] = useState<SubAccount | null>(null);
  const [limited, setLimited] = useState<SubAccount | null>(null);
  const [closing, setClosing] = useState<SubAccount | null>(null);
  const editReason = useReason(updateSubAccount);
  const rowActions = useRowActions({
    actions,
    editReason,
    onEdit: setTarget,
    onTransfer: setPaying,
    onRefill: setRefilling,
    onLimits: setLimited,
    onClose: setClosing,
  });
  const create = (
    <Disabled reason={routeReason({ needs: createSubAccount.needs, person: true }, session)}>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setTarget('new')}>
        Create sub-account
      </Button>
    </Disabled>
  );
  return (
    <>
      <PageHeader
        title="Sub-accounts"
        description="Separate accounts for clients, brands, or branches, with their own users, contacts, and senders."
        action={create}
      />
      <ListTable
        id="subaccounts"
        label="Sub-accounts"
        noun="sub-accounts"
        list={list}
        search="Search companies or owners"
        columns={COLUMNS}
        rowKey={(row) => row.id}
        rowName={(row) => row.company_name}
        onOpen={(row) => panel.open(row.id)}
        openKey={panel.id}
        actions={rowActions}
        empty={
          <EmptyState icon={IconBuildingCommunity} title="No sub-accounts yet" action={create}>
            Create a sub-account to keep a client, brand, or branch separate. You can switch to it from here.
          </EmptyState>
        }
        emptyFiltered={
          <EmptyState icon={IconBuildingCommunity} title="No sub-accounts match your search">
            Search by company name or the owner’s email address.
          </EmptyState>
        }
      />
      <SubAccountPanel
        account={list.rows?.find(({ id }) => id === panel.id) ?? null}
        actions={actions}
        editReason={editReason}
        onEdit={setTarget}
        onClose={panel.close}
      />
      <CloseSubAccount
        account={closing}
        onDone={() => {
          setClosing(null);
          panel.close();
        }}
        onCancel={() => setClosing(null)}
      />
      <Suspense>{limited && <SubAccountLimits account={limited} onClose={() => setLimited(null)} />}</Suspense>
      <RefillDialog account={refilling} onClose={() => setRefilling(null)} />
      <TransferDialog account={paying} onClose={() => setPaying(null)} />
      <SubAccountDialog target={target} onClose={() => setTarget(null)} />
    </>
  );
}
