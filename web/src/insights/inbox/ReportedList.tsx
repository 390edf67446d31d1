/** The conversations that a report counts. Every count of the report links to them. */
import { canViewBucket, conversationBucket } from '@parley/contract/inbox/inbox.ts';
import type { InboxReport } from '@parley/contract/insights/inbox_reports.ts';
import {
  listReportedConversations,
  REPORT_EVENTS,
  type ReportEvent,
  type ReportedConversation,
} from '@parley/contract/insights/reported_conversations.ts';
import { IconMessages } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { channelLabel } from '../../channels/index.ts';
import { ExportMenu } from '../../exports/ExportMenu.tsx';
import { ListTable } from '../../kernel/list/ListTable.tsx';
import { useList } from '../../kernel/list/list.tsx';
import { useSession } from '../../kernel/session/session.tsx';
import { BUCKET_PATHS, conversationPath, INSIGHTS } from '../../paths.ts';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { PhoneNumber } from '../../ui/data/PhoneNumber.tsx';
import type { Column } from '../../ui/data/table/columns.ts';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { formatSeconds } from '../durations.ts';
import styles from '../Insights.module.css';

const FILTERS = ['event'] as const;
const EVENT_LABELS: Readonly<Record<ReportEvent, string>> = {
  opened: 'Opened',
  answered: 'Answered',
  closed: 'Closed',
};
const FACETS = [
  {
    key: 'event',
    label: 'In this period',
    options: REPORT_EVENTS.map((value) => ({ value, label: EVENT_LABELS[value] })),
  },
];

/** The report with its list of these conversations. */
export const reportedPath = (search: Record<string, string>): string =>
  `${INSIGHTS}?${new URLSearchParams({ tab: 'inbox', ...search })}`;

/** The time, and whether it was longer than the target; null if there is none. */
function lateText(seconds: number | null, done: string | null, due: string | null): string | null {
  if (seconds === null) return null;
  const isLate = done !== null && due !== null && done > due;
  return isLate ? `${formatSeconds(seconds)} (overdue)` : formatSeconds(seconds);
}

const COLUMNS: Column<ReportedConversation>[] = [
  {
    ...{ key: 'contact', title: 'Contact', card: 'title', fixed: true, width: '100%' },
    render: (row) =>
      row.number === null ? (
        'Not visible to you'
      ) : row.contact_name ? (
        <bdi>{row.contact_name}</bdi>
      ) : (
        <PhoneNumber value={row.number} />
      ),
  },
  { key: 'channel', title: 'Channel', narrow: false, render: (row) => channelLabel(row.channel) },
  { key: 'agent', title: 'Agent', render: (row) => <bdi className={styles.count}>{row.agent_name ?? 'No agent'}</bdi> },
  { key: 'opened', title: 'Opened', card: 'subtitle', render: (row) => <DateTime value={row.opened} /> },
  {
    ...{ key: 'response', title: 'First response', align: 'end' },
    render: (row) => lateText(row.response_seconds, row.answered, row.response_due) ?? '–',
  },
  {
    ...{ key: 'resolution', title: 'Resolution', align: 'end', card: 'corner' },
    render: (row) => lateText(row.resolution_seconds, row.closed, row.resolution_due) ?? 'Open',
  },
];

interface ReportedListProps {
  report: InboxReport | undefined;
  filter: Record<string, string>;
}

export function ReportedList({ report, filter }: ReportedListProps) {
  const navigate = useNavigate();
  const { user, permissions } = useSession();
  const list = useList(listReportedConversations, {
    filters: FILTERS,
    fixed: { ...report?.period, ...filter },
    subject: 'The conversations',
    enabled: report !== undefined,
  });
  const open = ({ conversation_id, assignee_id }: ReportedConversation) => {
    const bucket = conversationBucket(assignee_id, user.id);
    if (conversation_id !== null && canViewBucket(bucket, { user_id: user.id, permissions }))
      void navigate({ href: conversationPath(BUCKET_PATHS[bucket], conversation_id) });
  };
  return (
    <section aria-label="Conversations" className={styles.section}>
      <h2 className={styles.heading}>Conversations</h2>
      <ListTable
        id="insights.conversations"
        label="Conversations"
        noun="conversations"
        list={list}
        facets={FACETS}
        columns={COLUMNS}
        rowKey={(row) => row.id}
        rowName={(row) => row.contact_name ?? row.number ?? 'Conversation'}
        onOpen={open}
        tools={
          <ExportMenu name="reported_conversations" list={list} table="insights.conversations" columns={COLUMNS} />
        }
        empty={
          <EmptyState icon={IconMessages} title="No conversations in this period">
            Choose another period or clear a filter.
          </EmptyState>
        }
        emptyFiltered={
          <EmptyState icon={IconMessages} title="No conversations match these filters">
            Clear a filter or choose another period.
          </EmptyState>
        }
      />
    </section>
  );
}
