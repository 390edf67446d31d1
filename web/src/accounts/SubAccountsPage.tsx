import { Button } from '@mantine/core';
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
  IconDoorEnter,
  IconLockOpen,
  IconPencil,
  IconPlus,
  IconTrash,
} from '@tabler/icons-react';
import { useState } from 'react';
import { ListTable } from '../kernel/list/ListTable.tsx';
import { useList } from '../kernel/list/list.tsx';
import { usePanel } from '../kernel/list/panel.ts';
import { routeReason } from '../kernel/session/routes.tsx';
import { useReason, useSession } from '../kernel/session/session.tsx';
import { DateTime } from '../ui/data/DateTime.tsx';
import { formatNumber } from '../ui/data/format.ts';
import { StatusBadge } from '../ui/data/StatusBadge.tsx';
import type { Column } from '../ui/data/table/DataTable.tsx';
import { Disabled } from '../ui/feedback/Disabled.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { countryName } from '../ui/form/countries.ts';
import { PageHeader } from '../ui/layout/PageHeader.tsx';
import styles from './Accounts.module.css';
import { CloseSubAccount } from './CloseSubAccount.tsx';
import { SubAccountDialog } from './SubAccountDialog.tsx';
import { SubAccountPanel } from './SubAccountPanel.tsx';
import { useSubAccountActs } from './sub_account_acts.ts';

const FILTERS = ['search'] as const;

const COLUMNS: Column<SubAccount>[] = [
  {
    key: 'name',
    title: 'Company',
    fixed: true,
    width: '100%',
    render: (row) => (
      <span className={styles.company}>
        <span className={styles.name}>{row.company_name}</span>
        <span className={styles.dim}>{row.owner_email}</span>
      </span>
    ),
  },
  { key: 'status', title: 'Status', fixed: true, render: (row) => <StatusBadge status={row.status} /> },
  { key: 'country', title: 'Country', narrow: false, render: (row) => countryName(row.country_code) },
  {
    key: 'users',
    title: 'Users',
    align: 'end',
    narrow: false,
    render: (row) => <span className="tabular">{formatNumber(row.users_count)}</span>,
  },
  { key: 'created', title: 'Created', narrow: false, render: (row) => <DateTime value={row.create_date} /> },
];

export default function SubAccountsPage() {
  const session = useSession();
  const panel = usePanel();
  const list = useList(listSubAccounts, { filters: FILTERS, subject: 'The sub-accounts' });
  const acts = useSubAccountActs();
  const [asked, setAsked] = useState<SubAccount | 'new' | null>(null);
  const [closing, setClosing] = useState<SubAccount | null>(null);
  const mayEdit = useReason(updateSubAccount);
  const mayRemove = useReason(removeSubAccount);
  const create = (
    <Disabled reason={routeReason({ needs: createSubAccount.needs, person: true }, session)}>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setAsked('new')}>
        Create sub-account
      </Button>
    </Disabled>
  );
  return (
    <>
      <PageHeader
        title="Subaccounts"
        description="Companies of your company: each with its own users, contacts, senders and log, created and entered by you."
        action={create}
      />
      <ListTable
        id="subaccounts"
        label="Subaccounts"
        noun="sub-accounts"
        list={list}
        search="Search company or owner"
        columns={COLUMNS}
        rowKey={(row) => row.id}
        rowName={(row) => row.company_name}
        onOpen={(row) => panel.open(row.id)}
        openKey={panel.id}
        actions={[
          {
            key: 'enter',
            label: 'Switch into',
            icon: IconDoorEnter,
            reason: (row) => mayEdit ?? acts.enterReason(row),
            onSelect: acts.enter,
          },
          { key: 'edit', label: 'Edit', icon: IconPencil, reason: () => mayEdit, onSelect: setAsked },
          {
            key: 'block',
            label: 'Block',
            icon: IconBan,
            isOffered: (row) => row.status !== 'BLOCKED',
            reason: () => mayEdit,
            onSelect: (row) => void acts.block(row),
          },
          {
            key: 'unblock',
            label: 'Unblock',
            icon: IconLockOpen,
            isOffered: (row) => row.status === 'BLOCKED',
            reason: () => mayEdit,
            onSelect: acts.unblock,
          },
          {
            key: 'close',
            label: 'Close',
            icon: IconTrash,
            danger: true,
            reason: () => mayRemove,
            onSelect: setClosing,
          },
        ]}
        empty={
          <EmptyState icon={IconBuildingCommunity} title="No sub-account yet" action={create}>
            Keep a client, a brand or a branch apart: nobody in one sees anything of another, and you enter each from
            here.
          </EmptyState>
        }
        emptyFiltered={
          <EmptyState icon={IconBuildingCommunity} title="No sub-account of that name">
            The search looks at the names of companies and at their owners.
          </EmptyState>
        }
      />
      <SubAccountPanel
        account={list.rows?.find(({ id }) => id === panel.id) ?? null}
        acts={acts}
        editReason={mayEdit}
        onEdit={setAsked}
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
      <SubAccountDialog asked={asked} onClose={() => setAsked(null)} />
    </>
  );
}
