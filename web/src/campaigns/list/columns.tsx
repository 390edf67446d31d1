/** The columns of a list of campaigns. */

import type { Campaign, listCampaigns } from '@parley/contract/campaigns/campaigns.ts';
import { BUCKET_LABELS } from '@parley/contract/campaigns/statuses.ts';
import type { SortName } from '@parley/contract/endpoint.ts';
import { MESSAGE_GROUPS } from '@parley/contract/messages/statuses.ts';
import { recipientsPath } from '../../paths.ts';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { Figure } from '../../ui/data/Figure.tsx';
import { formatNumber, formatPercent } from '../../ui/data/format.ts';
import { StatusBadge } from '../../ui/data/StatusBadge.tsx';
import type { Column } from '../../ui/data/table/DataTable.tsx';
import { moneyColumn } from '../../ui/data/table/money_column.tsx';
import styles from '../Campaigns.module.css';
import { MiniProgress } from '../progress/MiniProgress.tsx';
import { campaignTotals } from '../progress/progress.ts';
import { campaignStage } from '../stage.ts';
import { statusReason } from '../status_reason.ts';

export const COLUMNS: Column<Campaign, SortName<typeof listCampaigns>>[] = [
  {
    key: 'name',
    title: 'Name',
    sort: 'name',
    fixed: true,
    render: (row) => <bdi className={styles.name}>{row.name}</bdi>,
  },
  {
    key: 'status',
    title: 'Status',
    sort: 'status',
    card: 'corner',
    fixed: true,
    render: (row) => <StatusBadge {...campaignStage(row)} reason={statusReason(row)} />,
  },
  {
    key: 'audience',
    title: 'Audience',
    card: 'subtitle',
    renderCard: (row) => row.audience_name ?? '\u2013',
    narrow: false,
    render: (row) => <bdi className={styles.audience}>{row.audience_name ?? '\u2013'}</bdi>,
  },
  {
    key: 'progress',
    title: 'Progress',
    card: 'hidden',
    narrow: false,
    width: 96,
    render: (row) => <MiniProgress campaign={row} />,
  },
  {
    key: 'delivered',
    title: MESSAGE_GROUPS.delivered.label,
    align: 'end',
    narrow: false,
    render: (row) => <Delivered campaign={row} />,
  },
  {
    key: 'failed',
    title: MESSAGE_GROUPS.undelivered.label,
    align: 'end',
    narrow: false,
    render: (row) => <Count campaign={row} bucket="failed" />,
  },
  moneyColumn({
    key: 'cost',
    title: 'Cost',
    sort: 'cost_micros',
    narrow: false,
    micros: (row) => (row.start_date ? row.cost_micros : null),
    currency: (row) => row.currency,
  }),
  { key: 'when', title: 'When', sort: 'start_date', narrow: false, render: (row) => <When campaign={row} /> },
  {
    key: 'tags',
    title: 'Tags',
    card: 'hidden',
    narrow: false,
    hidden: true,
    render: (row) => <bdi className={styles.audience}>{row.tags.join(', ') || '\u2013'}</bdi>,
  },
  {
    key: 'sender',
    title: 'Sender',
    card: 'hidden',
    narrow: false,
    hidden: true,
    render: (row) => row.sender_name ?? '\u2013',
  },
  {
    key: 'created',
    title: 'Created',
    sort: 'create_date',
    card: 'hidden',
    narrow: false,
    hidden: true,
    render: (row) => <DateTime value={row.create_date} />,
  },
];

function Count({ campaign, bucket }: { campaign: Campaign; bucket: 'delivered' | 'failed' }) {
  if (!campaign.start_date) return '\u2013';
  const count = campaignTotals(campaign)[bucket];
  return (
    <Figure
      href={recipientsPath(campaign, bucket)}
      label={`${formatNumber(count)} ${BUCKET_LABELS[bucket].toLowerCase()}, ${campaign.name}`}
    >
      {formatNumber(count)}
    </Figure>
  );
}

function Delivered({ campaign }: { campaign: Campaign }) {
  if (!campaign.start_date) return '\u2013';
  const { delivered, total } = campaignTotals(campaign);
  return (
    <span className={styles.delivered}>
      <Count campaign={campaign} bucket="delivered" />{' '}
      <span className={styles.share}>{formatPercent(delivered, total)}</span>
    </span>
  );
}

/**
 * Shows the start time, the scheduled time if the campaign is scheduled, or otherwise the creation time. The campaign's
 * status shows which of these it is.
 */
function When({ campaign }: { campaign: Campaign }) {
  const scheduled = campaign.status === 'scheduled' ? campaign.schedule : null;
  return <DateTime value={campaign.start_date ?? scheduled ?? campaign.create_date} />;
}
