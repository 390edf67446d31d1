/** Changes of balances above an amount, which one operator proposes and another operator approves. */
import {
  type BalanceProposal,
  decideProposal,
  listProposals,
  PROPOSAL_NEEDS,
  PROPOSAL_STATUS,
  PROPOSAL_STATUSES,
} from '@parley/contract/admin/balance_proposals.ts';
import { permits } from '@parley/contract/permission.ts';
import { IconCheck, IconScale, IconX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useAction } from '../../kernel/http/query.ts';
import { ListTable } from '../../kernel/list/ListTable.tsx';
import { useList } from '../../kernel/list/list.tsx';
import { useSession } from '../../kernel/session/session.tsx';
import { accountPath, PROPOSALS } from '../../paths.ts';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { formatMoney } from '../../ui/data/format.ts';
import { StatusBadge } from '../../ui/data/StatusBadge.tsx';
import type { Column, RowAction } from '../../ui/data/table/DataTable.tsx';
import { moneyColumn } from '../../ui/data/table/money_column.tsx';
import { confirm } from '../../ui/feedback/Confirm.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { ReasonDialog, type ReasonRequest } from '../customers/ReasonDialog.tsx';
import { PaymentTabs } from './PaymentTabs.tsx';
import { KIND_LABELS } from './proposals.ts';

const FILTERS = ['statuses'] as const;
const FACETS = [
  {
    key: 'statuses',
    label: 'Status',
    options: PROPOSAL_STATUSES.map((value) => ({ value, label: PROPOSAL_STATUS[value].label })),
  },
];

const COLUMNS: Column<BalanceProposal>[] = [
  {
    key: 'account',
    title: 'Account',
    fixed: true,
    card: 'title',
    render: (row) => <Link to={accountPath(row.account_id)}>{row.company_name}</Link>,
  },
  {
    key: 'status',
    title: 'Status',
    fixed: true,
    card: 'corner',
    render: (row) => <StatusBadge {...PROPOSAL_STATUS[row.status]} reason={row.decision_reason} />,
  },
  { key: 'kind', title: 'Change', render: (row) => KIND_LABELS[row.kind] },
  moneyColumn<BalanceProposal, string>({
    key: 'amount',
    title: 'Amount',
    micros: (row) => row.amount_micros,
    currency: (row) => row.currency,
  }),
  {
    key: 'reason',
    title: 'Reason',
    width: '100%',
    render: (row) => <bdi>{row.reference === null ? row.reason : `${row.reason} (${row.reference})`}</bdi>,
  },
  { key: 'proposed_by', title: 'Proposed by', render: (row) => <bdi>{row.proposed_by || '–'}</bdi> },
  { key: 'date', title: 'Proposed', render: (row) => <DateTime value={row.create_date} /> },
  { key: 'expires', title: 'Expires', narrow: false, render: (row) => <DateTime value={row.expire_date} /> },
  { key: 'decided_by', title: 'Decided by', hidden: true, render: (row) => <bdi>{row.decided_by ?? '–'}</bdi> },
];

const target = (row: BalanceProposal) => ({ params: { id: row.account_id, proposal_id: row.id } });
const label = (row: BalanceProposal) =>
  `${KIND_LABELS[row.kind].toLowerCase()} of ${formatMoney(row.amount_micros, row.currency)}`;
const CONSEQUENCES: Readonly<Record<BalanceProposal['kind'], string>> = {
  top_up: 'The amount is added to the balance immediately.',
  bonus: 'The amount is added to the balance immediately.',
  compensation: 'The amount is added to the balance immediately.',
  transfer: 'The amount is added to the balance immediately. Check that the money has arrived.',
  correction: 'The amount is deducted from the balance immediately.',
  refund: 'The money is returned to the card. This cannot be undone.',
};

function useRowActions(requestReason: (request: ReasonRequest) => void): RowAction<BalanceProposal>[] {
  const { permissions } = useSession();
  const { mutate, isPending } = useAction(decideProposal, { invalidates: ['customers', 'customer_payments'] });
  const reason = (row: BalanceProposal) =>
    permits(permissions, PROPOSAL_NEEDS[row.kind]) ? null : 'You do not have permission to make this change.';
  const approve = async (row: BalanceProposal) => {
    const isSure = await confirm({
      title: `Approve the ${label(row)} for ${row.company_name}?`,
      consequence: `${CONSEQUENCES[row.kind]} ${row.proposed_by} gave this reason: ${row.reason}`,
      action: 'Approve change',
      danger: false,
    });
    if (isSure && !isPending)
      mutate(
        { ...target(row), body: { status: 'approved' } },
        { onSuccess: () => toast.success(row.kind === 'refund' ? 'Refund started' : 'Change approved') },
      );
  };
  const reject = (row: BalanceProposal) =>
    requestReason({
      title: row.is_own ? `Withdraw the ${label(row)}?` : `Reject the ${label(row)}?`,
      text: `The balance of ${row.company_name} does not change.`,
      action: row.is_own ? 'Withdraw proposal' : 'Reject change',
      danger: true,
      hint: 'Shown to all operators.',
      onDone: (text) =>
        mutate(
          { ...target(row), body: { status: 'rejected', reason: text } },
          { onSuccess: () => toast.success(row.is_own ? 'Proposal withdrawn' : 'Change rejected') },
        ),
    });
  return [
    {
      key: 'approve',
      label: 'Approve',
      icon: IconCheck,
      isOffered: (row) => row.status === 'waiting',
      reason: (row) =>
        reason(row) ?? (row.is_own ? 'You proposed this change. Another operator must approve it.' : null),
      onSelect: (row) => void approve(row),
    },
    {
      key: 'reject',
      label: 'Reject or withdraw',
      icon: IconX,
      danger: true,
      isOffered: (row) => row.status === 'waiting',
      reason,
      onSelect: reject,
    },
  ];
}

export default function ProposalsPage() {
  const list = useList(listProposals, { filters: FILTERS, subject: 'The proposed changes' });
  const [request, setRequest] = useState<ReasonRequest | null>(null);
  const close = () => setRequest(null);
  const actions = useRowActions((next) =>
    setRequest({
      ...next,
      onDone: (text) => {
        next.onDone(text);
        close();
      },
    }),
  );
  return (
    <>
      <PageHeader
        title="Proposed changes"
        description="Balance changes above the approval amount. They take effect when another operator approves them."
      >
        <PaymentTabs open={PROPOSALS} />
      </PageHeader>
      <ListTable
        list={list}
        id="balance_proposals"
        label="Proposed changes"
        noun="changes"
        facets={FACETS}
        columns={COLUMNS}
        actions={actions}
        rowKey={(row) => row.id}
        rowName={(row) => `${row.company_name}, ${label(row)}`}
        empty={
          <EmptyState icon={IconScale} title="No proposed changes yet">
            The setting SECOND_OPERATOR_ABOVE determines which changes need another operator.
          </EmptyState>
        }
        emptyFiltered={<EmptyState title="No changes match these filters">Clear a filter.</EmptyState>}
      />
      <ReasonDialog request={request} busy={false} onClose={close} />
    </>
  );
}
