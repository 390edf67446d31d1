/** Test-key campaigns. They are free, reach no phone, and appear in no other list or figure. */
import { Button, Stack } from '@mantine/core';
import type { Campaign, SkipReason } from '@parley/contract/campaigns/campaigns.ts';
import { CAMPAIGN_STATUS, CAMPAIGN_STATUSES } from '@parley/contract/campaigns/statuses.ts';
import { getTestCampaign, listTestCampaigns } from '@parley/contract/campaigns/test_campaigns.ts';
import { MESSAGE_GROUPS } from '@parley/contract/messages/statuses.ts';
import { IconTestPipe } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { channelLabel } from '../../channels/index.ts';
import { useEndpoint } from '../../kernel/http/query.ts';
import { ListTable } from '../../kernel/list/ListTable.tsx';
import { useList } from '../../kernel/list/list.tsx';
import { usePanel } from '../../kernel/list/panel.ts';
import { testCampaignRunsPath, testMessagesPath } from '../../paths.ts';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { formatNumber } from '../../ui/data/format.ts';
import { StatusBadge, ToneBadge } from '../../ui/data/StatusBadge.tsx';
import type { Column } from '../../ui/data/table/DataTable.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { SkeletonFields } from '../../ui/feedback/Skeletons.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { Fields, SidePanel } from '../../ui/layout/SidePanel.tsx';
import styles from '../Campaigns.module.css';
import { SKIP_LABELS } from '../labels.ts';
import { MiniProgress } from '../progress/MiniProgress.tsx';
import { campaignStage, hasRuns } from '../stage.ts';
import { statusReason } from '../status_reason.ts';

const FILTERS = ['search', 'statuses', 'series_id'] as const;

const COLUMNS: Column<Campaign>[] = [
  {
    key: 'name',
    title: 'Name',
    fixed: true,
    card: 'title',
    width: '100%',
    render: (row) => (
      <>
        <bdi className={styles.name}>{row.name}</bdi> <ToneBadge tone="wait">Test</ToneBadge>
      </>
    ),
  },
  { key: 'status', title: 'Status', card: 'corner', fixed: true, render: (row) => <Status campaign={row} /> },
  {
    key: 'audience',
    title: 'Audience',
    card: 'subtitle',
    render: (row) => <bdi className={styles.audience}>{row.audience_name ?? '\u2013'}</bdi>,
  },
  { key: 'channel', title: 'Channel', narrow: false, render: (row) => channelLabel(row.channel) },
  {
    key: 'progress',
    title: 'Progress',
    card: 'hidden',
    narrow: false,
    width: 112,
    render: (row) => <MiniProgress campaign={row} />,
  },
  { key: 'when', title: 'When', narrow: false, render: (row) => <DateTime value={when(row)} /> },
];

const Status = ({ campaign }: { campaign: Campaign }) => (
  <StatusBadge {...campaignStage(campaign)} reason={statusReason(campaign)} />
);

const when = ({ start_date, status, schedule, create_date }: Campaign): string =>
  start_date ?? (status === 'scheduled' ? schedule : null) ?? create_date;

export default function TestCampaignsPage() {
  const panel = usePanel();
  const list = useList(listTestCampaigns, { filters: FILTERS, subject: 'The test campaigns' });
  return (
    <>
      <PageHeader
        title="Test campaigns"
        description="Test-key campaigns. They are free, reach no phone, and are kept for 30 days after a change."
        action={
          list.filter('series_id') && (
            <Button variant="default" onClick={list.clear}>
              Show all test campaigns
            </Button>
          )
        }
      />
      <ListTable
        id="test_campaigns"
        label="Test campaigns"
        noun="campaigns"
        list={list}
        search="Search test campaigns"
        facets={[
          {
            key: 'statuses',
            label: 'Status',
            options: CAMPAIGN_STATUSES.filter((value) => value !== 'error').map((value) => ({
              value,
              label: CAMPAIGN_STATUS[value].label,
            })),
          },
        ]}
        columns={COLUMNS}
        rowKey={(row) => row.id}
        rowName={(row) => row.name}
        onOpen={(row) => panel.open(row.id)}
        openKey={panel.id}
        empty={
          <EmptyState icon={IconTestPipe} title="No test campaigns yet">
            Create a test API key, an audience, and a campaign with it. The calls are the same as for live campaigns.
          </EmptyState>
        }
        emptyFiltered={
          <EmptyState icon={IconTestPipe} title="No test campaigns match these filters">
            Clear a filter or try another search.
          </EmptyState>
        }
      />
      <TestCampaignPanel id={panel.id} onClose={panel.close} />
    </>
  );
}

function TestCampaignPanel({ id, onClose }: { id: string | null; onClose: () => void }) {
  const query = useEndpoint(getTestCampaign, { params: { id: id ?? '' } }, { enabled: id !== null });
  const campaign = query.data?.data;
  return (
    <SidePanel
      open={id !== null}
      onClose={onClose}
      title={campaign ? <bdi>{campaign.name}</bdi> : 'Test campaign'}
      description={
        campaign && (
          <>
            <ToneBadge tone="wait">Test</ToneBadge> <Status campaign={campaign} />
          </>
        )
      }
      recordId={id ?? undefined}
    >
      {campaign ? (
        <Details campaign={campaign} />
      ) : query.error ? (
        <ErrorState
          title="The test campaign could not be loaded"
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

function Details({ campaign }: { campaign: Campaign }) {
  const { counts, fanned_out, next_runs, skipped } = campaign;
  const reasons = Object.entries(skipped) as [SkipReason, number][];
  const count = (value: number) => formatNumber(value);
  return (
    <Stack gap={20}>
      <Fields
        fields={[
          { label: 'Text', value: <bdi>{campaign.text}</bdi> },
          { label: 'From', value: campaign.sender_name && <bdi>{campaign.sender_name}</bdi> },
          { label: 'Channel', value: channelLabel(campaign.channel) },
          { label: 'Audience', value: campaign.audience_name && <bdi>{campaign.audience_name}</bdi> },
          ...(next_runs.length > 0 ? [{ label: 'Next run', value: <DateTime value={next_runs[0]!} /> }] : []),
          ...(campaign.start_date
            ? [
                { label: 'Started', value: <DateTime value={campaign.start_date} /> },
                { label: 'Messages', value: count(fanned_out) },
                { label: MESSAGE_GROUPS.delivered.label, value: count(campaign.messages.delivered) },
                { label: MESSAGE_GROUPS.undelivered.label, value: count(campaign.messages.failed) },
                { label: MESSAGE_GROUPS.pending.label, value: count(counts.enroute + counts.sent) },
              ]
            : []),
          ...reasons.map(([reason, skips]) => ({ label: `Skipped: ${SKIP_LABELS[reason]}`, value: count(skips) })),
        ]}
      />
      {hasRuns(campaign) ? (
        <Link to={testCampaignRunsPath(campaign.id)}>Show the runs</Link>
      ) : (
        campaign.start_date && <Link to={testMessagesPath(campaign.id)}>Show the messages</Link>
      )}
    </Stack>
  );
}
