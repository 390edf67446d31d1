/** Campaigns side by side: delivery and costs, and the responses of those that a user selects. */
import { type Campaign, listCampaigns } from '@parley/contract/campaigns/campaigns.ts';
import { CAMPAIGN_STATUS, CAMPAIGN_STATUSES } from '@parley/contract/campaigns/statuses.ts';
import type { SortName } from '@parley/contract/endpoint.ts';
import { FIGURES } from '@parley/contract/insights/figures.ts';
import { MESSAGE_GROUPS } from '@parley/contract/messages/statuses.ts';
import { IconArrowsDiff, IconSpeakerphone } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { ChannelMark } from '../channels/ChannelMark.tsx';
import { ListTable } from '../kernel/list/ListTable.tsx';
import { useList } from '../kernel/list/list.tsx';
import { useSpendColumns } from '../kernel/list/spend_columns.ts';
import { campaignPath, messagesPath } from '../paths.ts';
import { DateTime } from '../ui/data/DateTime.tsx';
import { Figure } from '../ui/data/Figure.tsx';
import { formatNumber, formatPercent } from '../ui/data/format.ts';
import { StatusBadge } from '../ui/data/StatusBadge.tsx';
import type { Column } from '../ui/data/table/columns.ts';
import { moneyColumn } from '../ui/data/table/money_column.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { lazyPart } from '../ui/feedback/lazy_part.ts';
import styles from './Insights.module.css';

const CompareCampaigns = lazyPart(() => import('./CompareCampaigns.tsx'));

const FILTERS = ['search', 'statuses'] as const;
const FACETS = [
  {
    key: 'statuses',
    label: 'Status',
    options: CAMPAIGN_STATUSES.map((value) => ({ value, label: CAMPAIGN_STATUS[value].label })),
  },
];

type CampaignColumn = Column<Campaign, SortName<typeof listCampaigns>>;

/** A count with its share of the messages; it links to the messages. */
function countColumn(
  key: 'delivered' | 'read' | 'failed',
  title: string,
  count: (row: Campaign) => number,
): CampaignColumn {
  return {
    key,
    title,
    align: 'end',
    narrow: key !== 'read',
    render: (row) => (
      <span className={styles.count}>
        <Figure href={messagesPath({ ...FIGURES[key], campaign: row.id })}>{formatNumber(count(row))}</Figure>
        {row.fanned_out > 0 && ` · ${formatPercent(count(row), row.fanned_out)}`}
      </span>
    ),
  };
}

const COLUMNS: CampaignColumn[] = [
  { key: 'name', title: 'Campaign', sort: 'name', card: 'title', fixed: true, render: (row) => <bdi>{row.name}</bdi> },
  {
    key: 'status',
    title: 'Status',
    card: 'corner',
    render: (row) => <StatusBadge {...CAMPAIGN_STATUS[row.status]} />,
  },
  { key: 'channel', title: 'Channel', narrow: false, render: (row) => <ChannelMark channel={row.channel} /> },
  {
    key: 'messages',
    title: 'Messages',
    align: 'end',
    render: (row) => <Figure href={messagesPath({ campaign: row.id })}>{formatNumber(row.fanned_out)}</Figure>,
  },
  countColumn('delivered', MESSAGE_GROUPS.delivered.label, (row) => row.counts.delivered + row.counts.read),
  countColumn('read', 'Read', (row) => row.counts.read),
  countColumn(
    'failed',
    MESSAGE_GROUPS.undelivered.label,
    ({ counts }) => counts.failed + counts.rejected + counts.expired + counts.blocked + counts.unsubscribed,
  ),
  moneyColumn<Campaign, SortName<typeof listCampaigns>>({
    key: 'cost',
    title: 'Cost',
    sort: 'cost_micros',
    narrow: false,
    micros: (row) => row.cost_micros,
    currency: (row) => row.currency,
  }),
  {
    key: 'started',
    title: 'Started',
    sort: 'start_date',
    narrow: false,
    render: (row) => <DateTime value={row.start_date} />,
  },
];

/** Each needs a request that reads all messages of the campaign. */
const MAX_COMPARED = 4;

/** A default export, because it is loaded with its tab. */
export default function CampaignsTab() {
  const navigate = useNavigate();
  const [compared, setCompared] = useState<readonly Campaign[] | null>(null);
  const list = useList(listCampaigns, { filters: FILTERS, subject: 'The campaigns' });
  const columns = useSpendColumns(COLUMNS, 'cost');
  return (
    <>
      <ListTable
        id="insights.campaigns"
        label="Campaigns"
        noun="campaigns"
        list={list}
        search="Search by name"
        facets={FACETS}
        columns={columns}
        rowKey={(row) => row.id}
        rowName={(row) => row.name}
        onOpen={(row) => void navigate({ href: campaignPath(row) })}
        bulk={[
          {
            key: 'compare',
            label: 'Compare',
            icon: IconArrowsDiff,
            reason: (rows) =>
              rows.length < 2 || rows.length > MAX_COMPARED ? `Select 2 to ${MAX_COMPARED} campaigns.` : null,
            onSelect: (rows) => setCompared(rows),
          },
        ]}
        empty={
          <EmptyState icon={IconSpeakerphone} title="No campaigns yet">
            Send a campaign to compare its results with others.
          </EmptyState>
        }
        emptyFiltered={
          <EmptyState icon={IconSpeakerphone} title="No campaigns match these filters">
            Clear a filter or change the search.
          </EmptyState>
        }
      />
      {compared && (
        <Suspense>
          <CompareCampaigns campaigns={compared} onClose={() => setCompared(null)} />
        </Suspense>
      )}
    </>
  );
}
