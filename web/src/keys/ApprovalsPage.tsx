/** Messages that programs want to send, and about which a person decides. */
import { APPROVAL_STATUS, listApprovals, type SendApproval } from '@parley/contract/keys/approvals.ts';
import { IconChecklist } from '@tabler/icons-react';
import { ListTable } from '../kernel/list/ListTable.tsx';
import { useList } from '../kernel/list/list.tsx';
import { usePanel } from '../kernel/list/panel.ts';
import { DateTime } from '../ui/data/DateTime.tsx';
import { formatMoney } from '../ui/data/format.ts';
import { StatusBadge } from '../ui/data/StatusBadge.tsx';
import type { Column } from '../ui/data/table/DataTable.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { PageHeader } from '../ui/layout/PageHeader.tsx';
import { ApprovalPanel } from './ApprovalPanel.tsx';

const COLUMNS: Column<SendApproval>[] = [
  { key: 'time', title: 'Requested', narrow: false, render: (row) => <DateTime value={row.create_date} /> },
  {
    key: 'status',
    title: 'Status',
    card: 'corner',
    fixed: true,
    render: (row) => <StatusBadge {...APPROVAL_STATUS[row.status]} />,
  },
  {
    key: 'text',
    title: 'Text',
    card: 'title',
    fixed: true,
    width: '100%',
    render: (row) => <bdi>{row.rehearsal.messages[0]?.text || 'Without text'}</bdi>,
  },
  { key: 'recipients', title: 'Recipients', align: 'end', render: (row) => row.rehearsal.messages.length },
  {
    key: 'price',
    title: 'Price',
    align: 'end',
    narrow: false,
    render: ({ rehearsal: { total_micros, currency } }) =>
      total_micros === null ? '–' : formatMoney(total_micros, currency),
  },
  { key: 'key', title: 'Key', card: 'subtitle', render: (row) => <bdi>{row.key_name ?? 'Deleted key'}</bdi> },
];

export default function ApprovalsPage() {
  const panel = usePanel();
  const list = useList(listApprovals, { filters: [], subject: 'The approvals' });
  return (
    <>
      <PageHeader
        title="Approvals"
        description="Messages from agents and programs that a person must approve before they are sent."
      />
      <ListTable
        id="send_approvals"
        label="Approvals"
        noun="approvals"
        list={list}
        columns={COLUMNS}
        rowKey={(row) => row.id}
        rowName={(row) => row.rehearsal.messages[0]?.text ?? ''}
        onOpen={(row) => panel.open(row.id)}
        openKey={panel.id}
        empty={
          <EmptyState icon={IconChecklist} title="No approvals requested yet">
            A message appears here when it exceeds the amount that its API key can send without approval. You set this
            limit for each key.
          </EmptyState>
        }
      />
      <ApprovalPanel key={panel.id} id={panel.id} onClose={panel.close} />
    </>
  );
}
