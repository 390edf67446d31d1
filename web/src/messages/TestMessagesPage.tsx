/** The messages that were sent with test keys. They are free, reach no phone, and appear in no other list or figure. */
import { Button, Stack } from '@mantine/core';
import type { LoggedMessage } from '@parley/contract/messages/messages.ts';
import { MESSAGE_STATUS } from '@parley/contract/messages/statuses.ts';
import { getTestMessage, listTestMessages } from '@parley/contract/messages/test_messages.ts';
import { IconTestPipe } from '@tabler/icons-react';
import { channelLabel } from '../channels/index.ts';
import { useEndpoint } from '../kernel/http/query.ts';
import { ListTable } from '../kernel/list/ListTable.tsx';
import { useList } from '../kernel/list/list.tsx';
import { usePanel } from '../kernel/list/panel.ts';
import { DateTime } from '../ui/data/DateTime.tsx';
import { PhoneNumber } from '../ui/data/PhoneNumber.tsx';
import { StatusBadge, ToneBadge } from '../ui/data/StatusBadge.tsx';
import type { Column } from '../ui/data/table/DataTable.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { ErrorState } from '../ui/feedback/ErrorState.tsx';
import { SkeletonFields } from '../ui/feedback/Skeletons.tsx';
import { PageHeader } from '../ui/layout/PageHeader.tsx';
import { Fields, SidePanel } from '../ui/layout/SidePanel.tsx';
import { MessageTimeline } from './MessageTimeline.tsx';

const FILTERS = ['to', 'statuses', 'channel', 'campaign_ids'] as const;
const SHOWN = ['scheduled', 'enroute', 'sent', 'delivered', 'failed', 'rejected', 'expired', 'unsubscribed'] as const;

const COLUMNS: Column<LoggedMessage>[] = [
  { key: 'time', title: 'Time', narrow: false, render: (row) => <DateTime value={row.create_date} /> },
  {
    key: 'status',
    title: 'Status',
    card: 'corner',
    fixed: true,
    render: (row) => <StatusBadge {...MESSAGE_STATUS[row.status]} reason={row.status_details} />,
  },
  { key: 'to', title: 'To', card: 'title', fixed: true, render: (row) => <PhoneNumber value={row.to} /> },
  { key: 'text', title: 'Text', card: 'subtitle', width: '100%', render: (row) => <bdi>{row.text}</bdi> },
  { key: 'channel', title: 'Channel', narrow: false, render: (row) => channelLabel(row.channel) },
  { key: 'from', title: 'From', narrow: false, render: (row) => <bdi>{row.from}</bdi> },
];

export default function TestMessagesPage() {
  const panel = usePanel();
  const list = useList(listTestMessages, { filters: FILTERS, subject: 'The test messages' });
  return (
    <>
      <PageHeader
        title="Test messages"
        description="Messages sent with test keys. They are free, reach no phone, and are kept for 30 days."
        action={
          list.filter('campaign_ids') && (
            <Button variant="default" onClick={list.clear}>
              Show all test messages
            </Button>
          )
        }
      />
      <ListTable
        id="test_messages"
        label="Test messages"
        noun="messages"
        list={list}
        facets={[
          {
            key: 'statuses',
            label: 'Status',
            options: SHOWN.map((value) => ({ value, label: MESSAGE_STATUS[value].label })),
          },
        ]}
        columns={COLUMNS}
        rowKey={(row) => row.id}
        rowName={(row) => `message to ${row.to}`}
        onOpen={(row) => panel.open(row.id)}
        openKey={panel.id}
        empty={
          <EmptyState icon={IconTestPipe} title="No test messages yet">
            Create a test API key and send a message with it. The call is the same as for a live message.
          </EmptyState>
        }
        emptyFiltered={
          <EmptyState icon={IconTestPipe} title="No test messages match these filters">
            Clear a filter.
          </EmptyState>
        }
      />
      <TestMessagePanel id={panel.id} onClose={panel.close} />
    </>
  );
}

function TestMessagePanel({ id, onClose }: { id: string | null; onClose: () => void }) {
  const query = useEndpoint(getTestMessage, { params: { id: id ?? '' } }, { enabled: id !== null });
  const message = query.data?.data;
  return (
    <SidePanel
      open={id !== null}
      onClose={onClose}
      title={message ? <PhoneNumber value={message.to} /> : 'Test message'}
      description={
        message && (
          <>
            <ToneBadge tone="wait">Test</ToneBadge>{' '}
            <StatusBadge {...MESSAGE_STATUS[message.status]} reason={message.status_details} />
          </>
        )
      }
      recordId={id ?? undefined}
    >
      {message ? (
        <Stack gap={20}>
          <Fields
            fields={[
              { label: 'Text', value: <bdi>{message.text}</bdi> },
              { label: 'From', value: <bdi>{message.from}</bdi> },
              { label: 'Channel', value: channelLabel(message.channel) },
              { label: 'Segments', value: `${message.segments_count} (${message.encoding})` },
              { label: 'Key', value: <bdi>{message.key_name}</bdi> },
              { label: 'Payload', value: message.payload },
            ]}
          />
          <MessageTimeline message={message} />
        </Stack>
      ) : query.error ? (
        <ErrorState
          title="The message could not be loaded"
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
        >
          {query.error.message}
        </ErrorState>
      ) : (
        <SkeletonFields count={6} />
      )}
    </SidePanel>
  );
}
