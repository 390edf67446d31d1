import { type Customer, listCustomers } from '@parley/contract/admin/customers.ts';
import type { SortName } from '@parley/contract/endpoint.ts';
import { IconBuilding } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { ListTable } from '../../kernel/list/ListTable.tsx';
import { useList } from '../../kernel/list/list.tsx';
import { accountPath } from '../../paths.ts';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { Figure } from '../../ui/data/Figure.tsx';
import { formatNumber } from '../../ui/data/format.ts';
import type { Column } from '../../ui/data/table/DataTable.tsx';
import { moneyColumn } from '../../ui/data/table/money_column.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { countryName } from '../../ui/form/countries.ts';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { AccountBadge } from '../AccountBadge.tsx';
import styles from '../Admin.module.css';
import { ACCOUNT_STATES } from '../account_words.ts';

const FILTERS = ['search', 'statuses'] as const;

type Row = Omit<Customer, 'messages_30_days'>;

const COLUMNS: Column<Row, SortName<typeof listCustomers>>[] = [
  {
    key: 'company',
    title: 'Company',
    sort: 'company_name',
    fixed: true,
    width: '100%',
    render: (row) => (
      <span className={styles.stack}>
        <span className={styles.name}>{row.company_name}</span>
        <span className={styles.under}>{row.owner_email || 'No owner yet'}</span>
      </span>
    ),
  },
  {
    key: 'status',
    title: 'Status',
    sort: 'status',
    card: 'corner',
    fixed: true,
    render: (row) => <AccountBadge account={row} />,
  },
  {
    key: 'country',
    title: 'Country',
    sort: 'country_code',
    narrow: false,
    render: (row) => <span className={styles.number}>{countryName(row.country_code)}</span>,
  },
  {
    key: 'tags',
    title: 'Tags',
    narrow: false,
    hidden: true,
    render: (row) => row.tags.join(', ') || '–',
  },
  {
    key: 'users',
    title: 'Users',
    card: 'hidden',
    align: 'end',
    narrow: false,
    render: (row) => <Count row={row} tab="users" count={row.users_count} />,
  },
  {
    key: 'senders',
    title: 'Senders',
    align: 'end',
    narrow: false,
    render: (row) => <Count row={row} tab="senders" count={row.senders_count} />,
  },
  moneyColumn({
    key: 'balance',
    title: 'Balance',
    narrow: false,
    micros: (row) => row.available_micros,
    currency: (row) => row.currency,
  }),
  {
    key: 'since',
    title: 'Created',
    sort: 'create_date',
    card: 'hidden',
    narrow: false,
    render: (row) => <DateTime value={row.create_date} show="date" />,
  },
];

function Count({ row, tab, count }: { row: Row; tab: 'users' | 'senders'; count: number }) {
  return (
    <Figure href={`${accountPath(row.id)}?tab=${tab}`} label={`${formatNumber(count)} ${tab} of ${row.company_name}`}>
      {formatNumber(count)}
    </Figure>
  );
}

export default function CustomersPage() {
  const navigate = useNavigate();
  const list = useList(listCustomers, { filters: FILTERS, subject: 'The accounts' });
  return (
    <>
      <PageHeader title="Accounts" description="Every company on this installation, newest first." />
      <ListTable
        id="customers"
        label="Accounts"
        noun="accounts"
        list={list}
        search="Company, email, sender, or ID"
        facets={[{ key: 'statuses', label: 'Status', options: ACCOUNT_STATES }]}
        columns={COLUMNS}
        rowKey={(row) => row.id}
        rowName={(row) => row.company_name}
        onOpen={(row) => void navigate({ to: accountPath(row.id) })}
        empty={
          <EmptyState icon={IconBuilding} title="No accounts yet">
            An account appears here when a company signs up.
          </EmptyState>
        }
        emptyFiltered={
          <EmptyState icon={IconBuilding} title="No accounts match these filters">
            Search by the start of a company name, email address, domain, or sender, or by a full ID.
          </EmptyState>
        }
      />
    </>
  );
}
