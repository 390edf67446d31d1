/** The results of several campaigns side by side. */
import { Modal } from '@mantine/core';
import type { Campaign } from '@parley/contract/campaigns/campaigns.ts';
import { type CampaignResults, getCampaignResults } from '@parley/contract/campaigns/results.ts';
import { MESSAGE_GROUPS } from '@parley/contract/messages/statuses.ts';
import { useMemo } from 'react';
import { useEndpoint } from '../kernel/http/query.ts';
import { useSpendColumns } from '../kernel/list/spend_columns.ts';
import { campaignPath, responsesPath } from '../paths.ts';
import { Figure } from '../ui/data/Figure.tsx';
import { formatNumber, formatPercent } from '../ui/data/format.ts';
import type { Column } from '../ui/data/table/columns.ts';
import { DataTable } from '../ui/data/table/DataTable.tsx';
import { moneyColumn } from '../ui/data/table/money_column.tsx';
import { useReturnToOpener } from '../ui/feedback/opener.ts';

const withShare = (count: number, total: number): string =>
  total > 0 ? `${formatNumber(count)} · ${formatPercent(count, total)}` : formatNumber(count);

const shareColumn = (key: string, title: string, count: (counts: Campaign['counts']) => number): Column<Campaign> => ({
  key,
  title,
  align: 'end',
  render: ({ counts, fanned_out }) => withShare(count(counts), fanned_out),
});

const RESPONSES = {
  replied: (results: CampaignResults) => results.replies,
  clicked: (results: CampaignResults) => results.clicked,
  opted_out: (results: CampaignResults) => results.opt_outs,
} as const;

const responseColumn = (key: keyof typeof RESPONSES, title: string): Column<Campaign> => ({
  key,
  title,
  align: 'end',
  render: (row) => <Response campaign={row} response={key} />,
});

/** A count of the results, which all cells of a row share. A campaign without links has no clicks. */
function Response({ campaign, response }: { campaign: Campaign; response: keyof typeof RESPONSES }) {
  const { data, error } = useEndpoint(getCampaignResults, { params: { id: campaign.id } }, { staleTime: 60_000 });
  if (error) return 'Not available';
  const count = data && RESPONSES[response](data.data);
  if (count == null) return data ? '\u2013' : '...';
  return <Figure href={responsesPath(campaign, response)}>{withShare(count, campaign.fanned_out)}</Figure>;
}

const COLUMNS: Column<Campaign>[] = [
  {
    key: 'name',
    title: 'Campaign',
    card: 'title',
    fixed: true,
    render: (row) => (
      <Figure href={campaignPath(row)}>
        <bdi>{row.name}</bdi>
      </Figure>
    ),
  },
  { key: 'messages', title: 'Messages', align: 'end', render: (row) => formatNumber(row.fanned_out) },
  shareColumn('delivered', MESSAGE_GROUPS.delivered.label, ({ delivered, read }) => delivered + read),
  shareColumn('read', 'Read', ({ read }) => read),
  shareColumn(
    'failed',
    MESSAGE_GROUPS.undelivered.label,
    ({ failed, rejected, expired, blocked, unsubscribed }) => failed + rejected + expired + blocked + unsubscribed,
  ),
  responseColumn('replied', 'Replied'),
  responseColumn('clicked', 'Clicked a link'),
  responseColumn('opted_out', 'Opted out'),
  moneyColumn({
    key: 'cost',
    title: 'Cost',
    micros: (row: Campaign) => row.cost_micros,
    currency: (row: Campaign) => row.currency,
  }),
];

interface CompareCampaignsProps {
  campaigns: readonly Campaign[];
  onClose: () => void;
}

/** A default export, because it is loaded when the user asks for it. */
export default function CompareCampaigns({ campaigns, onClose }: CompareCampaignsProps) {
  useReturnToOpener();
  const columns = useSpendColumns(COLUMNS, 'cost');
  const rows = useMemo(() => [...campaigns], [campaigns]);
  return (
    <Modal opened onClose={onClose} title="Compare campaigns" size={1_100}>
      <DataTable
        id="insights.compared"
        label="Compared campaigns"
        columns={columns}
        rows={rows}
        rowKey={(row) => row.id}
        rowName={(row) => row.name}
        grow
        empty={null}
      />
    </Modal>
  );
}
