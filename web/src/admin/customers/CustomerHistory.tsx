import type { AuditEntry } from '@parley/contract/accounts/audit_log.ts';
import { type Customer, listCustomerAudit } from '@parley/contract/admin/customers.ts';
import { IconHistory } from '@tabler/icons-react';
import { ListTable } from '../../kernel/list/ListTable.tsx';
import { useList } from '../../kernel/list/list.tsx';
import { usePanel } from '../../kernel/list/panel.ts';
import { AuditPanel } from '../../settings/audit_log/AuditPanel.tsx';
import { actorWord, auditTitle } from '../../settings/audit_log/audit_words.ts';
import { DateTime } from '../../ui/data/DateTime.tsx';
import type { Column } from '../../ui/data/table/DataTable.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import styles from '../Admin.module.css';

const FILTERS = ['search'] as const;

const COLUMNS: Column<AuditEntry>[] = [
  { key: 'time', title: 'Time', fixed: true, render: (row) => <DateTime value={row.create_date} /> },
  {
    key: 'action',
    title: 'What happened',
    fixed: true,
    render: (row) => <span className={styles.name}>{auditTitle(row.action)}</span>,
  },
  { key: 'target', title: 'To', narrow: false, width: '100%', render: (row) => row.target_name || '–' },
  {
    key: 'actor',
    title: 'By',
    render: (row) => (
      <>
        {actorWord(row)}
        {row.real_user_id !== null && <span className={styles.count}> in another’s name</span>}
      </>
    ),
  },
  { key: 'address', title: 'Address', narrow: false, render: (row) => row.address || '–' },
];

/** The account's own log, as its owner reads it. */
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
        search="Search names and acts"
        columns={COLUMNS}
        rowKey={(row) => row.id}
        rowName={(row) => `${auditTitle(row.action)}, ${actorWord(row)}`}
        onOpen={(row) => panel.open(row.id)}
        openKey={panel.id}
        empty={
          <EmptyState icon={IconHistory} title="Nothing has happened yet">
            Sign-ins and everything that touches security, users, keys or money is written down here.
          </EmptyState>
        }
        emptyFiltered={<EmptyState icon={IconHistory} title="No entry fits" />}
      />
      <AuditPanel entry={list.rows?.find(({ id }) => id === panel.id) ?? null} onClose={panel.close} />
    </>
  );
}
