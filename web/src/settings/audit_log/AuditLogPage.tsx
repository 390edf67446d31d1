import { type AuditEntry, listAudit } from '@parley/contract/accounts/audit_log.ts';
import type { SortName } from '@parley/contract/endpoint.ts';
import { listUsers } from '@parley/contract/team/team.ts';
import { IconShieldLock } from '@tabler/icons-react';
import { ExportMenu } from '../../exports/ExportMenu.tsx';
import { dateBounds } from '../../insights/dates.ts';
import { useEndpoint } from '../../kernel/http/query.ts';
import { ListTable } from '../../kernel/list/ListTable.tsx';
import { useList } from '../../kernel/list/list.tsx';
import { usePanel } from '../../kernel/list/panel.ts';
import { useReason } from '../../kernel/session/session.tsx';
import { DateTime } from '../../ui/data/DateTime.tsx';
import type { Column } from '../../ui/data/table/DataTable.tsx';
import { useZone } from '../../ui/data/zone.ts';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import styles from '../Settings.module.css';
import { SettingsLayout } from '../SettingsLayout.tsx';
import { AuditPanel } from './AuditPanel.tsx';
import { AUDIT_OPTIONS, actionLabel, actorLabel } from './audit_words.ts';

const FILTERS = ['search', 'actions', 'user', 'from', 'to'] as const;

const COLUMNS: Column<AuditEntry, SortName<typeof listAudit>>[] = [
  {
    key: 'time',
    title: 'Time',
    sort: 'create_date',
    narrow: false,
    render: (row) => <DateTime value={row.create_date} />,
  },
  { key: 'actor', title: 'User', card: 'subtitle', fixed: true, render: (row) => <Actor entry={row} /> },
  {
    key: 'action',
    title: 'Action',
    card: 'title',
    fixed: true,
    width: '100%',
    render: (row) => (
      <span>
        {actionLabel(row.action)}
        {row.target_name !== '' && <span className={styles.dim}> {row.target_name}</span>}
        <span className={styles.whenNarrow}>
          <DateTime value={row.create_date} />
        </span>
      </span>
    ),
  },
  { key: 'address', title: 'IP address', card: 'hidden', narrow: false, render: (row) => row.address || '–' },
  {
    key: 'agent',
    title: 'Device',
    narrow: false,
    hidden: true,
    render: (row) => <span className={styles.agent}>{row.agent || '–'}</span>,
  },
];

function Actor({ entry }: { entry: AuditEntry }) {
  return (
    <span className={styles.act}>
      {actorLabel(entry)}
      {entry.real_user_id !== null && <span className={styles.below}>as another user</span>}
    </span>
  );
}

type Filters = Record<string, string>;
const toFilter = ({ actions, user, from, to, search }: Filters, zone: string) => {
  const bounds = dateBounds(from ?? null, to ?? null, zone);
  return {
    ...(search ? { search } : {}),
    ...(actions ? { actions } : {}),
    ...(user ? { user_id: user } : {}),
    ...(bounds.created_date_start ? { from_date: bounds.created_date_start } : {}),
    ...(bounds.created_date_end ? { to_date: bounds.created_date_end } : {}),
  };
};

export default function AuditLogPage() {
  const zone = useZone();
  const panel = usePanel();
  const list = useList(listAudit, {
    filters: FILTERS,
    subject: 'The audit log',
    toFilter: (filters) => toFilter(filters, zone),
  });
  const canListUsers = useReason(listUsers.needs) === null;
  const users = useEndpoint(listUsers, { query: { page_size: 300 } }, { enabled: canListUsers }).data?.data ?? [];
  const facets = [
    {
      key: 'actions',
      label: 'Action',
      options: AUDIT_OPTIONS,
    },
    ...(users.length > 0
      ? [
          {
            key: 'user',
            label: 'User',
            single: true,
            options: users.map(({ id, full_name, email }) => ({ value: id, label: full_name || email })),
          },
        ]
      : []),
  ];
  return (
    <SettingsLayout
      title="Audit log"
      description="Sign-ins and changes to security, users, API keys, and billing. Entries are permanent."
    >
      <ListTable
        id="audit_log"
        label="Audit log"
        noun="entries"
        list={list}
        search="Search names and actions"
        facets={facets}
        dates={{ label: 'Date', from: 'from', to: 'to' }}
        columns={COLUMNS}
        rowKey={(row) => row.id}
        rowName={(row) => `${actorLabel(row)} ${actionLabel(row.action)} ${row.target_name}`.trim()}
        onOpen={(row) => panel.open(row.id)}
        openKey={panel.id}
        tools={<ExportMenu name="audit_log" list={list} table="audit_log" columns={COLUMNS} />}
        empty={
          <EmptyState icon={IconShieldLock} title="No entries yet">
            Sign-ins and changes to permissions, keys, and payments are recorded here.
          </EmptyState>
        }
        emptyFiltered={
          <EmptyState icon={IconShieldLock} title="No entries match these filters">
            Clear a filter or change the dates.
          </EmptyState>
        }
      />
      <AuditPanel entry={list.rows?.find(({ id }) => id === panel.id) ?? null} onClose={panel.close} />
    </SettingsLayout>
  );
}
