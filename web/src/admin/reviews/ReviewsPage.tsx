/** The queue of messages that content rules have held, oldest first. */
import { CONTENT_KIND_WORDS } from '@parley/contract/guard/content_rules.ts';
import {
  decideMessageReviews,
  listMessageReviews,
  type MessageReview,
  REVIEW_STATES,
  REVIEW_STATUS,
} from '@parley/contract/guard/message_reviews.ts';
import { IconCheck, IconShieldCheck, IconX } from '@tabler/icons-react';
import { ListTable } from '../../kernel/list/ListTable.tsx';
import { useList } from '../../kernel/list/list.tsx';
import { usePanel } from '../../kernel/list/panel.ts';
import { useReason } from '../../kernel/session/session.tsx';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { StatusBadge } from '../../ui/data/StatusBadge.tsx';
import type { Column } from '../../ui/data/table/DataTable.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { countryName } from '../../ui/form/countries.ts';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import styles from '../Admin.module.css';
import { ReasonDialog } from '../customers/ReasonDialog.tsx';
import { useDecision } from './decision.ts';
import { ReviewPanel } from './ReviewPanel.tsx';
import cells from './Reviews.module.css';

const FILTERS = ['state', 'rule_id', 'account_id'] as const;
const STATES = REVIEW_STATES.map((value) => ({ value, label: REVIEW_STATUS[value].label }));

const COLUMNS: Column<MessageReview>[] = [
  {
    key: 'text',
    title: 'Message',
    fixed: true,
    width: '100%',
    render: (row) => (
      <span className={styles.stack}>
        <span className={styles.excerpt}>{row.text}</span>
        <span className={styles.under}>
          {row.rule_name} · {CONTENT_KIND_WORDS[row.kind].label}
        </span>
      </span>
    ),
  },
  {
    key: 'company',
    title: 'Account',
    card: 'subtitle',
    narrow: false,
    render: (row) => <span className={cells.cell}>{row.company_name}</span>,
  },
  {
    key: 'country',
    title: 'Country',
    narrow: false,
    render: (row) => <span className={cells.cell}>{countryName(row.country)}</span>,
  },
  { key: 'campaign', title: 'Campaign', narrow: false, hidden: true, render: (row) => row.campaign_name ?? '–' },
  {
    key: 'state',
    title: 'Status',
    card: 'corner',
    fixed: true,
    render: (row) => <StatusBadge {...REVIEW_STATUS[row.state]} reason={row.reason} />,
  },
  { key: 'date', title: 'Since', card: 'fact', narrow: false, render: (row) => <DateTime value={row.create_date} /> },
  {
    key: 'expires',
    title: 'Expires',
    hidden: true,
    narrow: false,
    render: (row) => <DateTime value={row.expire_date} />,
  },
];

export default function ReviewsPage() {
  const panel = usePanel();
  const list = useList(listMessageReviews, { filters: FILTERS, subject: 'The queue' });
  const decision = useDecision(() => panel.close());
  const reason = useReason(decideMessageReviews.needs);
  const bulkReason = (rows: MessageReview[]) =>
    reason ??
    (rows.every(({ state }) => state === 'waiting')
      ? null
      : 'Only messages waiting for review can be released or rejected.');
  return (
    <>
      <PageHeader
        title="Reviews"
        description="Messages held by content rules. They expire if no operator reviews them in time."
      />
      <ListTable
        id="message_reviews"
        label="Reviews"
        noun="messages"
        list={list}
        facets={[{ key: 'state', label: 'Status', single: true, options: STATES }]}
        columns={COLUMNS}
        rowKey={(row) => row.id}
        rowName={(row) => `${row.company_name}: ${row.text.slice(0, 40)}`}
        onOpen={(row) => panel.open(row.id)}
        openKey={panel.id}
        bulk={[
          {
            key: 'release',
            label: 'Release',
            icon: IconCheck,
            reason: bulkReason,
            onSelect: (rows, clear) => decision.ask('release', rows, clear),
          },
          {
            key: 'reject',
            label: 'Reject',
            icon: IconX,
            danger: true,
            reason: bulkReason,
            onSelect: (rows, clear) => decision.ask('reject', rows, clear),
          },
        ]}
        empty={
          <EmptyState icon={IconShieldCheck} title="No messages are waiting">
            A message appears here when a content rule holds it.
          </EmptyState>
        }
        emptyFiltered={
          <EmptyState icon={IconShieldCheck} title="No messages match these filters">
            Clear a filter to see the waiting messages.
          </EmptyState>
        }
      />
      <ReviewPanel id={panel.id} onClose={panel.close} onDecide={decision.ask} />
      <ReasonDialog request={decision.request} busy={decision.busy} onClose={decision.close} />
    </>
  );
}
