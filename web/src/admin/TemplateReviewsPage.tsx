import type { Data } from '@parley/contract/endpoint.ts';
import { listTemplateReviews } from '@parley/contract/templates.ts';
import { IconTemplate } from '@tabler/icons-react';
import { useRef } from 'react';
import { ListTable } from '../kernel/ListTable.tsx';
import { useList } from '../kernel/list.tsx';
import { usePanel } from '../kernel/panel.ts';
import { DateTime } from '../ui/DateTime.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { PageHeader } from '../ui/PageHeader.tsx';
import { StatusBadge } from '../ui/StatusBadge.tsx';
import { toast } from '../ui/Toasts.tsx';
import type { Column } from '../ui/table/DataTable.tsx';
import styles from './Admin.module.css';
import { REQUEST_LOOKS } from './sender_words.ts';
import { TemplateReviewPanel } from './TemplateReviewPanel.tsx';

export type TemplateReview = Data<typeof listTemplateReviews>[number];

const FILTERS = ['search', 'statuses'] as const;
const STATES = [
  { value: 'IN_PROCESS', label: 'Waiting' },
  { value: 'COMPLETED', label: 'Approved' },
  { value: 'CANCELED', label: 'Rejected' },
];

const COLUMNS: Column<TemplateReview>[] = [
  {
    key: 'template',
    title: 'Template',
    fixed: true,
    render: (row) => (
      <span className={styles.stack}>
        <span className={styles.name}>{row.name}</span>
        <span className={styles.under}>{row.company_name}</span>
      </span>
    ),
  },
  {
    key: 'text',
    title: 'Text',
    narrow: false,
    width: '100%',
    render: (row) => <span className={styles.excerpt}>{row.text || '–'}</span>,
  },
  {
    key: 'status',
    title: 'Status',
    fixed: true,
    render: (row) => <StatusBadge status={row.status} words={REQUEST_LOOKS} reason={row.reason?.text ?? null} />,
  },
  { key: 'since', title: 'Since', narrow: false, render: (row) => <DateTime value={row.update_date} /> },
];

/** Whoever has waited longest comes first; after a decision the next one is opened. */
export default function TemplateReviewsPage() {
  const panel = usePanel();
  const list = useList(listTemplateReviews, {
    filters: FILTERS,
    what: 'The queue',
    toFilter: (filters) => ({ statuses: 'IN_PROCESS', ...filters }),
  });
  // As it stood before the decision: afterwards the one decided is no longer in it.
  const known = useRef(new Map<string, TemplateReview>());
  if (list.rows) known.current = new Map([...known.current, ...list.rows.map((row) => [row.id, row] as const)]);
  const opened = panel.id === null ? null : (known.current.get(panel.id) ?? null);
  const onDecided = (id: string) => {
    const rows = list.rows ?? [];
    const at = rows.findIndex((row) => row.id === id);
    const rest = [...rows.slice(at + 1), ...rows.slice(0, Math.max(0, at))];
    const next = rest.find((row) => row.status === 'IN_PROCESS' && row.id !== id);
    if (next) return panel.open(next.id);
    panel.close();
    toast.info('Nothing else waits on this page');
  };
  return (
    <>
      <PageHeader
        title="Template reviews"
        line="Viber templates that customers want to send. Each is told by mail what you decide; WhatsApp decides on its own."
      />
      <ListTable
        id="template_reviews"
        label="Template reviews"
        noun="templates"
        list={list}
        search="Company or template"
        facets={[{ key: 'statuses', label: 'Status', options: STATES }]}
        columns={COLUMNS}
        rowKey={(row) => row.id}
        rowName={(row) => `${row.name} of ${row.company_name}`}
        onOpen={(row) => panel.open(row.id)}
        openKey={panel.id}
        empty={
          <EmptyState icon={IconTemplate} title="Nothing is waiting">
            New templates appear here as customers send them.
          </EmptyState>
        }
        emptyFiltered={
          <EmptyState icon={IconTemplate} title="No template fits">
            Take a filter away to see the queue.
          </EmptyState>
        }
      />
      <TemplateReviewPanel
        id={panel.id}
        review={opened}
        loading={list.rows === undefined}
        onClose={panel.close}
        onDecided={onDecided}
      />
    </>
  );
}
