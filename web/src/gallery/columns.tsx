import { CAMPAIGN_STATUS } from '@parley/contract/campaigns/statuses.ts';
import { ChannelMark } from '../channels/ChannelMark.tsx';
import { CopyId } from '../ui/data/CopyId.tsx';
import { DateTime } from '../ui/data/DateTime.tsx';
import { formatNumber } from '../ui/data/format.ts';
import { StatusBadge } from '../ui/data/StatusBadge.tsx';
import type { Column } from '../ui/data/table/DataTable.tsx';
import { moneyColumn } from '../ui/data/table/money_column.tsx';
import type { SampleCampaign } from './sample.ts';

/** The columns of the sample campaigns. */
export const COLUMNS: Column<SampleCampaign>[] = [
  {
    key: 'name',
    title: 'Name',
    sort: 'name',
    fixed: true,
    render: (row) => <b style={{ fontWeight: 550 }}>{row.name}</b>,
  },
  {
    key: 'channel',
    title: 'Channel',
    card: 'subtitle',
    narrow: false,
    render: (row) => <ChannelMark channel={row.channel} />,
  },
  { key: 'status', title: 'Status', card: 'corner', render: (row) => <StatusBadge {...CAMPAIGN_STATUS[row.status]} /> },
  {
    key: 'recipients',
    title: 'Recipients',
    sort: 'recipients',
    align: 'end',
    narrow: false,
    render: (row) => formatNumber(row.recipients),
  },
  moneyColumn({
    key: 'cost',
    title: 'Cost',
    sort: 'cost_micros',
    micros: (row: SampleCampaign) => row.cost_micros,
    currency: () => 'USD',
  }),
  {
    key: 'created',
    title: 'Created',
    sort: 'create_date',
    narrow: false,
    render: (row) => <DateTime value={row.create_date} />,
  },
  {
    key: 'id',
    title: 'ID',
    card: 'hidden',
    hidden: true,
    render: (row) => <CopyId value={row.id} short label="campaign ID" />,
  },
];
