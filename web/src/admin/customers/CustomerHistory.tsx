import type { AuditEntry } from '@parley/contract/accounts/audit_log.ts';
import { type Customer, listCustomerAudit } from '@parley/contract/admin/customers.ts';
import type { SortName } from '@parley/contract/endpoint.ts';
import { IconHistory } from '@tabler/icons-react';
import { ListTable } from '../../kernel/list/ListTable.tsx';
import { useList } from '../../kernel/list/list.tsx';
import { usePanel } from '../../kernel/list/panel.ts';
import { AuditPanel } from '../../settings/audit_log/AuditPanel.tsx';
import { actionTitle, actorLabel } from '../../settings/audit_log/audit_words.ts';
import { DateTime } from '../../ui/data/DateTime.tsx';
import type { Column } from '../../ui/data/table/DataTable.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import styles from '../Admin.module.css';

const FILTERS = ['search'] as const;

const COLUMNS: Column<AuditEntry, SortName<typeof listCustomerAudit>>[] = [
  {
    key: 'time',
    title: 'Time',
    sort: 'create_date',
    card: 'corner',
    fixed: true,
    render: (row) => <DateTime value={row.create_date} />,
  },
  {
    key: 'action',
    title: 'Event',
    card: 'title',
    fixed: true,
    render: (row) => <span className={styles.name}>{actionTitle(row.action)}</span>,
  },
  {
    key: 'target',
    title: 'Target',
    card: 'subtitle',
    narrow: false,
    width: '100%',
    render: (row) => row.target_name || '–',
  },
  {
    key: 'actor',
    title: 'By',
    render: (row) => (
      <>
        {actorLabel(row)}
        {row.real_user_id !== null && <span className={styles.count}> as another user</span>}
      </>
    ),
  },
  { key: 'address', title: 'IP address', card: 'hidden', narrow: false, render: (row) => row.address || '–' },
];

/** The audit log of the account, as its owner sees it. */
export function CustomerHistory({ customer }: { customer: Customer }) {
  const panel = usePanel();
  const list = useList(listCustomerAudit, { params: { id: customer.id }, filters: FILTERS, subject: 'The history' });
  return (
    <>
      <ListTable
        id="customer_history"
        label={`History of ${customer.company_name}`}
        noun="entries"
        list={list}
        search="Search names and actions"
        columns={COLUMNS}
        rowKey={(row) => row.id}
        rowName={(row) => `${actionTitle(row.action)}, ${actorLabel(row)}`}
        onOpen={(row) => panel.open(row.id)}
        openKey={panel.id}
        empty={
          <EmptyState icon={IconHistory} title="No entries yet">
            Sign-ins and changes to security, users, API keys, and billing are recorded here.
          </EmptyState>
        }
        emptyFiltered={
          <EmptyState icon={IconHistory} title="No entries match your search">
            Clear the search to see all entries.
          </EmptyState>
        }
      />
      <AuditPanel entry={list.rows?.find(({ id }) => id === panel.id) ?? null} onClose={panel.close} />
    </>
  );
}
