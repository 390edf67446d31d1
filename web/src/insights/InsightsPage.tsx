import type { SortName } from '@parley/contract/endpoint.ts';
import { CHARGES, listMessages, type Message, SOURCES } from '@parley/contract/messages/messages.ts';
import { LOG_WORDS, MESSAGE_STATUS, statusesFound } from '@parley/contract/messages/statuses.ts';
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
import { useSpendColumns } from '../kernel/list/spend_columns.ts';
import { onLive } from '../kernel/live/live.ts';
import { useReason, useSession } from '../kernel/session/session.tsx';
import { CHARGE_LABELS, DIRECTION_WORDS, SOURCE_WORDS, TYPE_WORDS } from '../messages/words.ts';
import { DateTime } from '../ui/data/DateTime.tsx';
import type { Facet } from '../ui/data/filter/FilterBar.tsx';
import { PhoneNumber } from '../ui/data/PhoneNumber.tsx';
import { StatusBadge } from '../ui/data/StatusBadge.tsx';
import type { Column } from '../ui/data/table/DataTable.tsx';
import { moneyColumn } from '../ui/data/table/money_column.tsx';
import { useZone } from '../ui/data/zone.ts';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { lazyPart } from '../ui/feedback/lazy_part.ts';
import { OnceOpen } from '../ui/feedback/OnceOpen.tsx';
import { usePreload } from '../ui/feedback/usePreload.ts';
import { PageHeader } from '../ui/layout/PageHeader.tsx';
import { dateBounds } from './dates.ts';
import styles from './Insights.module.css';

const loadInspector = () => import('../messages/MessageInspector.tsx');
const MessageInspector = lazyPart(loadInspector);

const FILTERS = [
  'search',
  'statuses',
  'direction',
  'channel',
  'sender',
  'source',
  'charge',
  'campaign',
  'template',
  'from',
  'to',
] as const;

const COLUMNS: Column<Message, SortName<typeof listMessages>>[] = [
  {
    key: 'created',
    title: 'Time',
    sort: 'create_date',
    narrow: false,
    render: (row) => <DateTime value={row.create_date} />,
  },
  {
    key: 'status',
    title: 'Status',
    card: 'corner',
    fixed: true,
    render: (row) => <StatusBadge {...MESSAGE_STATUS[row.status]} reason={row.status_details} />,
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
  const linked = useSearch({ strict: false }) as Linked;
  const panel = usePanel('message');
  usePreload(loadInspector);
  const list = useList(listMessages, {
    filters: FILTERS,
    subject: 'The messages',
    toFilter: ({ search, statuses, sender, campaign, template, from, to, ...rest }) => ({
      ...rest,
      ...(search ? { to_prefix: search } : {}),
      ...(statuses ? { statuses: statusesFound(statuses.split(',')) } : {}),
      ...(sender ? { sender_ids: sender } : {}),
      ...(campaign ? { campaign_ids: campaign } : {}),
      ...(template ? { template_ids: template } : {}),
      ...dateBounds(from ?? null, to ?? null, zone),
    }),
  });
  const facets = useFacets(linked);
  const columns = useSpendColumns(COLUMNS, 'price');
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
        columns={columns}
        rowKey={(row) => row.id}
        rowName={(row) => (row.direction === 'MT' ? `message to ${row.to}` : `message from ${row.from}`)}
        search="Number begins with"
        facets={facets}
        dates={{ label: 'Date', from: 'from', to: 'to' }}
        tools={<ExportMenu name="messages" list={list} table="messages" columns={columns} />}
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
      <OnceOpen open={panel.id !== null} onClose={panel.close}>
        <MessageInspector id={panel.id} onClose={panel.close} />
      </OnceOpen>
    </>
  );
}

export default InsightsPage;

/** Filters that are set by a link from a record. The user can only clear them. */
interface Linked {
  campaign?: string;
  template?: string;
}

function useFacets({ campaign, template }: Linked): Facet[] {
  const { account } = useSession();
  const canListSenders = useReason(listSenders.needs) === null;
  const senders = useEndpoint(listSenders, { query: { page_size: 300 } }, { enabled: canListSenders }).data?.data;
  return useMemo(
    () => [
      {
        key: 'statuses',
        label: 'Status',
        options: LOG_WORDS,
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
      {
        key: 'charge',
        label: 'Price',
        single: true,
        options: CHARGES.map((value) => ({ value, label: CHARGE_LABELS[value] })),
      },
      ...linkedFacet('campaign', 'Campaign', campaign),
      ...linkedFacet('template', 'Template', template),
    ],
    [account.channels, senders, campaign, template],
  );
}

const linkedFacet = (key: string, label: string, value: string | undefined): Facet[] =>
  value ? [{ key, label, single: true, options: [{ value, label: `Linked ${label.toLowerCase()}` }] }] : [];

/** Campaign messages send no live events, so the log is refreshed as the campaign progresses. */
function useCampaignRefresh(): void {
  useEffect(() => {
    let isStopped = false;
    let stop: (() => void) | undefined;
    // The first screen of the log does not need the contract of campaigns.
    void import('@parley/contract/campaigns/campaigns.ts').then(({ campaignProgressed }) => {
      if (isStopped) return;
      stop = onLive(campaignProgressed, () => void queryClient.invalidateQueries({ queryKey: ['messages'] }));
    });
    return () => {
      isStopped = true;
      stop?.();
    };
  }, []);
}
