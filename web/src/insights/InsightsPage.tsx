import { campaignProgressed } from '@parley/contract/campaigns/campaigns.ts';
import { LOG_STATUSES, listMessages, logStatus, type Message, SOURCES } from '@parley/contract/messages/messages.ts';
import { listSenders } from '@parley/contract/senders/senders.ts';
import { IconArrowDownLeft, IconArrowUpRight, IconMessages } from '@tabler/icons-react';
import { useSearch } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { ChannelMark } from '../channels/ChannelMark.tsx';
import { channelLabel } from '../channels/index.ts';
import { ExportMenu } from '../exports/ExportMenu.tsx';
import { queryClient, useEndpoint } from '../kernel/http/query.ts';
import { ListTable } from '../kernel/list/ListTable.tsx';
import { useList } from '../kernel/list/list.tsx';
import { usePanel } from '../kernel/list/panel.ts';
import { onLive } from '../kernel/live/live.ts';
import { useReason, useSession } from '../kernel/session/session.tsx';
import { MessageInspector } from '../messages/MessageInspector.tsx';
import { DIRECTION_WORDS, LOG_STATUS_WORDS, SOURCE_WORDS, statusesWithLabel, TYPE_WORDS } from '../messages/words.ts';
import { DateTime } from '../ui/data/DateTime.tsx';
import type { Facet } from '../ui/data/filter/FilterBar.tsx';
import { PhoneNumber } from '../ui/data/PhoneNumber.tsx';
import { StatusBadge } from '../ui/data/StatusBadge.tsx';
import type { Column } from '../ui/data/table/DataTable.tsx';
import { moneyColumn } from '../ui/data/table/money_column.tsx';
import { useZone } from '../ui/data/zone.ts';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { PageHeader } from '../ui/layout/PageHeader.tsx';
import { dateBounds } from './dates.ts';
import styles from './Insights.module.css';

const FILTERS = ['search', 'statuses', 'direction', 'channel', 'sender', 'source', 'campaign', 'from', 'to'] as const;

const COLUMNS: Column<Message>[] = [
  { key: 'created', title: 'Time', narrow: false, render: (row) => <DateTime value={row.create_date} /> },
  {
    key: 'status',
    title: 'Status',
    card: 'corner',
    fixed: true,
    render: (row) => <StatusBadge status={logStatus(row.status)} reason={row.status_details} />,
  },
  { key: 'number', title: 'Number', card: 'title', fixed: true, render: (row) => <Party message={row} /> },
  {
    key: 'sender',
    title: 'Sender',
    card: 'hidden',
    narrow: false,
    render: (row) => <PhoneNumber value={row.direction === 'MT' ? row.from : row.to} withCountry={false} />,
  },
  {
    key: 'text',
    title: 'Text',
    card: 'subtitle',
    renderCard: (row) => row.text || TYPE_WORDS[row.type],
    narrow: false,
    width: '100%',
    render: (row) => <bdi className={styles.text}>{row.text || TYPE_WORDS[row.type]}</bdi>,
  },
  {
    key: 'segments',
    title: 'Segments',
    card: 'hidden',
    align: 'end',
    narrow: false,
    render: (row) => row.segments_count,
  },
  moneyColumn({
    key: 'price',
    title: 'Price',
    narrow: false,
    micros: (row) => row.price_micros,
    currency: (row) => row.currency,
    exact: true,
  }),
  {
    key: 'channel',
    title: 'Channel',
    narrow: false,
    hidden: true,
    render: (row) => <ChannelMark channel={row.channel} />,
  },
  { key: 'network', title: 'Network', narrow: false, hidden: true, render: (row) => row.network ?? row.mccmnc ?? '–' },
  { key: 'source', title: 'Source', narrow: false, hidden: true, render: (row) => SOURCE_WORDS[row.source] },
];

/** The recipient or sender, with the direction. On narrow screens the time is shown below. */
function Party({ message }: { message: Message }) {
  const isOutbound = message.direction === 'MT';
  const Icon = isOutbound ? IconArrowUpRight : IconArrowDownLeft;
  return (
    <span className={styles.party}>
      <Icon size={15} stroke={2} role="img" aria-label={isOutbound ? 'Outbound, to' : 'Inbound, from'} />
      <PhoneNumber value={isOutbound ? message.to : message.from} />
      <span className={styles.below}>
        <DateTime value={message.create_date} />
      </span>
    </span>
  );
}

/** The message log. The URL contains the open message, the filters, and the page. */
export function InsightsPage() {
  const zone = useZone();
  const { campaign } = useSearch({ strict: false }) as { campaign?: string };
  const panel = usePanel('message');
  const list = useList(listMessages, {
    filters: FILTERS,
    subject: 'The messages',
    toFilter: ({ search, statuses, sender, campaign, from, to, ...rest }) => ({
      ...rest,
      ...(search ? { to_prefix: search } : {}),
      ...(statuses ? { statuses: statusesWithLabel(statuses.split(',')) } : {}),
      ...(sender ? { sender_ids: sender } : {}),
      ...(campaign ? { campaign_ids: campaign } : {}),
      ...dateBounds(from ?? null, to ?? null, zone),
    }),
  });
  const facets = useFacets(campaign);
  useCampaignRefresh();

  return (
    <>
      <PageHeader
        title="Insights"
        description="All messages sent and received, newest first. Select a message for details."
      />
      <ListTable
        id="messages"
        label="Messages"
        noun="messages"
        list={list}
        columns={COLUMNS}
        rowKey={(row) => row.id}
        rowName={(row) => (row.direction === 'MT' ? `message to ${row.to}` : `message from ${row.from}`)}
        search="Number begins with"
        facets={facets}
        dates={{ label: 'Date', from: 'from', to: 'to' }}
        tools={<ExportMenu name="messages" list={list} table="messages" columns={COLUMNS} />}
        onOpen={(row) => panel.open(row.id)}
        openKey={panel.id}
        empty={
          <EmptyState icon={IconMessages} title="No messages yet">
            Messages from campaigns, the inbox, and the API appear here, with their replies.
          </EmptyState>
        }
        emptyFiltered={
          <EmptyState icon={IconMessages} title="No messages match these filters">
            Clear a filter or change the dates.
          </EmptyState>
        }
      />
      <MessageInspector id={panel.id} onClose={panel.close} />
    </>
  );
}

export default InsightsPage;

function useFacets(campaign: string | undefined): Facet[] {
  const { account } = useSession();
  const canListSenders = useReason(listSenders.needs) === null;
  const senders = useEndpoint(listSenders, { query: { page_size: 300 } }, { enabled: canListSenders }).data?.data;
  return useMemo(
    () => [
      {
        key: 'statuses',
        label: 'Status',
        options: LOG_STATUSES.map((value) => ({ value, label: LOG_STATUS_WORDS[value] })),
      },
      {
        key: 'direction',
        label: 'Direction',
        single: true,
        options: (['MT', 'MO'] as const).map((value) => ({ value, label: DIRECTION_WORDS[value] })),
      },
      ...(account.channels.length > 1
        ? [
            {
              key: 'channel',
              label: 'Channel',
              single: true,
              options: account.channels.map((value) => ({ value, label: channelLabel(value) })),
            },
          ]
        : []),
      ...(senders && senders.length > 0
        ? [{ key: 'sender', label: 'Sender', options: senders.map(({ id, name }) => ({ value: id, label: name })) }]
        : []),
      {
        key: 'source',
        label: 'Source',
        single: true,
        options: SOURCES.map((value) => ({ value, label: SOURCE_WORDS[value] })),
      },
      // This filter is set by a link from a campaign. The user can only clear it.
      ...(campaign
        ? [
            {
              key: 'campaign',
              label: 'Campaign',
              single: true,
              options: [{ value: campaign, label: 'Linked campaign' }],
            },
          ]
        : []),
    ],
    [account.channels, senders, campaign],
  );
}

/** Campaign messages send no live events, so the log is refreshed as the campaign progresses. */
function useCampaignRefresh(): void {
  useEffect(() => onLive(campaignProgressed, () => void queryClient.invalidateQueries({ queryKey: ['messages'] })), []);
}
