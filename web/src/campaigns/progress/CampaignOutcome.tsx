import { Button } from '@mantine/core';
import type { Campaign } from '@parley/contract/campaigns/campaigns.ts';
import {
  type CampaignResults,
  createFollowUp,
  getCampaignResults,
  REPLY_DAYS,
} from '@parley/contract/campaigns/results.ts';
import { BUCKET_LABELS } from '@parley/contract/campaigns/statuses.ts';
import { IconUsersPlus } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useAction, useEndpoint } from '../../kernel/http/query.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import { editCampaignPath, responsesPath } from '../../paths.ts';
import { formatCount, formatNumber } from '../../ui/data/format.ts';
import { StatChips } from '../../ui/data/StatChips.tsx';
import { useZone } from '../../ui/data/zone.ts';
import { lazyPart } from '../../ui/feedback/lazy_part.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { Skeleton } from '../../ui/feedback/Skeletons.tsx';
import styles from '../Campaigns.module.css';
import { Forecast } from './Forecast.tsx';
import { toChartRows } from './results.ts';

// Lazy, because campaigns without results have no chart.
const Chart = lazyPart(async () => ({ default: (await import('../../ui/data/chart/Chart.tsx')).Chart }));

const Breakdown = lazyPart(() => import('./Breakdown.tsx'));

/** Progress has events (live.ts), replies to a campaign have none. */
const REFRESH_MS = 60_000;

const SERIES = [
  { key: 'delivered', label: BUCKET_LABELS.delivered, color: 'var(--ok-mark)' },
  { key: 'sent', label: BUCKET_LABELS.sent, color: 'var(--flight-mark)' },
  { key: 'failed', label: BUCKET_LABELS.failed, color: 'var(--fail-mark)' },
  { key: 'replies', label: 'Replies', color: 'var(--accent)' },
];

/** A campaign's results: replies, opt-outs, the next step, and results over time. */
export function CampaignOutcome({ campaign }: { campaign: Campaign }) {
  const zone = useZone();
  const query = useEndpoint(getCampaignResults, { params: { id: campaign.id } }, { refetchInterval: REFRESH_MS });
  const results = query.data?.data;
  // The page remains usable if the figures cannot be loaded.
  if (query.error && !results) return null;
  const figure = (value: number | undefined) => (value === undefined ? undefined : formatNumber(value));
  return (
    <section className={styles.outcome} aria-label="Responses">
      <StatChips
        label={`Responses within ${REPLY_DAYS} days`}
        stats={[
          {
            key: 'replies',
            label: 'Replied',
            value: figure(results?.replies),
            tone: 'ok',
            href: responsesPath(campaign, 'replied'),
          },
          {
            key: 'opt_outs',
            label: 'Opted out',
            value: figure(results?.opt_outs),
            tone: 'fail',
            href: responsesPath(campaign, 'opted_out'),
          },
          ...(results?.clicked == null
            ? []
            : [
                {
                  key: 'clicked',
                  label: 'Clicked a link',
                  value: figure(results.clicked),
                  tone: 'flight' as const,
                  href: responsesPath(campaign, 'clicked'),
                },
              ]),
        ]}
      />
      {results && <FollowUp campaign={campaign} results={results} />}
      {results && results.points.length > 0 && (
        <Suspense fallback={<Skeleton height={300} />}>
          <Chart
            title="Results over time"
            kind="line"
            height={200}
            rows={toChartRows(results, zone)}
            x={{ key: 'time', label: 'Time' }}
            series={SERIES}
            file={`${campaign.name} results`.replace(/[\\/:*?"<>|]/g, '_')}
            empty="No results yet"
          />
        </Suspense>
      )}
      {results && results.networks.length > 0 && (
        <Suspense fallback={<Skeleton height={300} />}>
          <Breakdown campaign={campaign} results={results} />
        </Suspense>
      )}
      {results && <Forecast campaign={campaign} results={results} />}
    </section>
  );
}

/** Offered after the end, while there are recipients to write to. */
function FollowUp({ campaign, results }: { campaign: Campaign; results: CampaignResults }) {
  const navigate = useNavigate();
  const draft = useAction(createFollowUp, {
    invalidates: ['campaigns', 'audiences'],
    onSuccess: ({ data }) => void navigate({ href: editCampaignPath(data) }),
  });
  if ((campaign.status !== 'completed' && campaign.status !== 'canceled') || results.silent === 0) return null;
  return (
    <Notice
      tone="info"
      action={
        <Allow needs={createFollowUp.needs}>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconUsersPlus size={14} aria-hidden />}
            loading={draft.isPending}
            onClick={() => draft.mutate({ params: { id: campaign.id } })}
          >
            Create a follow-up
          </Button>
        </Allow>
      }
    >
      {formatCount(results.silent, 'recipient')} got the message and did not reply. A follow-up starts as a draft for
      these recipients.
    </Notice>
  );
}
