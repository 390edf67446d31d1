import { type Campaign, type CampaignReason, getCampaign } from '@parley/contract/campaigns/campaigns.ts';
import { IconSend } from '@tabler/icons-react';
import { Link, useParams } from '@tanstack/react-router';
import { Suspense, useEffect } from 'react';
import { channelLabel } from '../../channels/index.ts';
import { useEndpoint } from '../../kernel/http/query.ts';
import { RecordPage } from '../../kernel/record/RecordPage.tsx';
import { campaignsPath, editCampaignPath } from '../../paths.ts';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { formatDuration, instant } from '../../ui/data/format.ts';
import { StatusBadge } from '../../ui/data/StatusBadge.tsx';
import { lazyPart, preloadPart } from '../../ui/feedback/lazy_part.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { Skeleton, SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import { countryName } from '../../ui/form/countries.ts';
import { Back } from '../../ui/layout/Back.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { Fields } from '../../ui/layout/SidePanel.tsx';
import styles from '../Campaigns.module.css';
import { isEditable } from '../editable.ts';
import { FixLink } from '../FixLink.tsx';
import { describeRepeat, describeSafety, describeTiming, validityLabel } from '../labels.ts';
import { useRouteChannel } from '../route_channel.ts';
import { campaignStage, hasRuns } from '../stage.ts';
import { statusReason } from '../status_reason.ts';
import { CampaignOutcome } from './CampaignOutcome.tsx';
import { CampaignProgress } from './CampaignProgress.tsx';
import { Canary, Lookups } from './Safeguards.tsx';
import { Waits } from './Waits.tsx';
import '../live.ts';

// Below the first screen, and the largest part of the page.
const loadRecipients = () => import('./Recipients.tsx');
const Recipients = lazyPart(loadRecipients);
const loadActions = async () => ({ default: (await import('./CampaignActions.tsx')).CampaignActions });
const CampaignActions = lazyPart(loadActions);
const Approval = lazyPart(() => import('./Approval.tsx'));
const Series = lazyPart(() => import('./Series.tsx'));
const Automation = lazyPart(() => import('./Automation.tsx'));
const TestResults = lazyPart(() => import('./TestResults.tsx'));

/** The page where the cause of a pause is resolved. */
const FIXES: Partial<Record<CampaignReason, { label: string; path: string }>> = {
  balance: { label: 'Add funds', path: '/add-funds' },
  overdue: { label: 'Add funds', path: '/add-funds' },
  limit: { label: 'Open SMS limits', path: '/settings/sms-limits' },
  traffic_stop: { label: 'Open SMS limits', path: '/settings/sms-limits' },
};

export default function CampaignPage() {
  const channel = useRouteChannel();
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const query = useEndpoint(getCampaign, { params: { id } });
  // They load at the same time as the campaign. Recipients report a failure where they are shown.
  useEffect(() => {
    void preloadPart(loadActions).catch(() => {});
    void preloadPart(loadRecipients).catch(() => {});
  }, []);
  return (
    <RecordPage
      query={query}
      noun="campaign"
      icon={IconSend}
      list={{ to: campaignsPath(channel), label: 'All campaigns' }}
    >
      {(campaign) => <CampaignDetails campaign={campaign} />}
    </RecordPage>
  );
}

const PROBLEM_TONES = { paused: 'wait', failed: 'fail', error: 'fail' } as const;

function CampaignDetails({ campaign }: { campaign: Campaign }) {
  const { status } = campaign;
  const tone = status in PROBLEM_TONES ? PROBLEM_TONES[status as keyof typeof PROBLEM_TONES] : null;
  const reason = statusReason(campaign);
  return (
    <>
      <Back to={campaignsPath(campaign.channel)}>{`${channelLabel(campaign.channel)} campaigns`}</Back>
      <PageHeader
        title={campaign.name}
        badge={<StatusBadge {...campaignStage(campaign)} />}
        description={
          <Suspense>
            <Timing campaign={campaign} />
          </Suspense>
        }
        action={
          <Suspense fallback={<Skeleton width={160} height={36} />}>
            <CampaignActions campaign={campaign} />
          </Suspense>
        }
      />
      {campaign.approval && (
        <Suspense fallback={<SkeletonLines lines={4} />}>
          <Approval campaign={campaign} approval={campaign.approval} />
        </Suspense>
      )}
      {tone && reason && campaign.status_details !== 'approval' && (
        <Notice
          className={styles.above}
          tone={tone}
          action={<FixLink fix={FIXES[campaign.status_details ?? 'user'] ?? null} />}
        >
          {reason}.
          {status === 'paused' &&
            campaign.counts.enroute > 0 &&
            ' Messages that are already queued will wait until they expire.'}
        </Notice>
      )}
      {campaign.start_date && <CampaignProgress campaign={campaign} />}
      <Lookups campaign={campaign} />
      <Canary campaign={campaign} />
      <Waits waits={campaign.waits} />
      {hasRuns(campaign) && (
        <Suspense fallback={<SkeletonLines lines={6} />}>
          <Series campaign={campaign} />
        </Suspense>
      )}
      {campaign.test_state && (
        <Suspense fallback={<SkeletonLines lines={4} />}>
          <TestResults campaign={campaign} />
        </Suspense>
      )}
      {campaign.start_date && <CampaignOutcome campaign={campaign} />}
      <Content campaign={campaign} />
      {campaign.start_date && (
        <Suspense fallback={<SkeletonLines lines={10} />}>
          <Recipients campaign={campaign} />
        </Suspense>
      )}
    </>
  );
}

function Timing({ campaign }: { campaign: Campaign }) {
  if (campaign.end_date && campaign.start_date) {
    const duration = formatDuration(secondsBetween(campaign.start_date, campaign.end_date));
    return (
      <>
        Started <DateTime value={campaign.start_date} />,{' '}
        {campaign.status === 'canceled' ? `canceled after ${duration}` : `took ${duration}`}
      </>
    );
  }
  if (campaign.start_date)
    return (
      <>
        Started <DateTime value={campaign.start_date} />
      </>
    );
  if (campaign.trigger && campaign.series_id === null) return <Automation campaign={campaign} />;
  if (campaign.status === 'scheduled' && campaign.schedule)
    return (
      <>
        {campaign.repeat ? `${describeRepeat(campaign.repeat)}, next run` : 'Scheduled for'}{' '}
        <DateTime value={campaign.schedule} />
      </>
    );
  return (
    <>
      Created <DateTime value={campaign.create_date} />
    </>
  );
}

const secondsBetween = (from: string, to: string): number => (instant(to).getTime() - instant(from).getTime()) / 1_000;

function AudienceName({ campaign }: { campaign: Campaign }) {
  if (campaign.audience_name) return <bdi>{campaign.audience_name}</bdi>;
  if (campaign.trigger && campaign.audience_ids.length === 0) return 'Everyone';
  return campaign.start_date ? 'Deleted' : '\u2013';
}

/** The text that people get instead of the template if they wrote in the last 24 hours. */
const SessionText = ({ text }: { text: string }) => (
  <>
    <bdi>{text}</bdi>
    <span className={styles.empty}> to people who messaged you in the last 24 hours</span>
  </>
);

function Content({ campaign }: { campaign: Campaign }) {
  const timing = describeTiming(campaign.timing);
  const safety = describeSafety(campaign.safety);
  return (
    <section className={styles.facts} aria-label="Message">
      <blockquote className={styles.message} dir="auto">
        {campaign.text || campaign.session_text || <span className={styles.empty}>No text yet</span>}
      </blockquote>
      <Fields
        fields={[
          { label: 'Sender', value: campaign.sender_name && <bdi>{campaign.sender_name}</bdi> },
          { label: 'Audience', value: <AudienceName campaign={campaign} /> },
          ...(campaign.template_name
            ? [{ label: 'Template', value: <bdi key="template">{campaign.template_name}</bdi> }]
            : []),
          ...(campaign.session_text && campaign.template_id
            ? [{ label: 'Free text', value: <SessionText key="free" text={campaign.session_text} /> }]
            : []),
          ...(campaign.session_text && !campaign.template_id
            ? [{ label: 'Sent to', value: 'People who messaged you in the last 24 hours' }]
            : []),
          ...(campaign.fallbacks.length > 0
            ? [{ label: 'Fallbacks', value: campaign.fallbacks.map(({ channel }) => channelLabel(channel)).join(', ') }]
            : []),
          ...(campaign.countries
            ? [{ label: 'Countries', value: campaign.countries.map(countryName).join(', ') }]
            : []),
          ...(campaign.approval?.status === 'requested' && campaign.schedule
            ? [{ label: 'Starts once approved', value: <DateTime key="schedule" value={campaign.schedule} /> }]
            : []),
          ...(timing ? [{ label: 'Delivery', value: timing }] : []),
          ...(safety ? [{ label: 'Safeguards', value: safety }] : []),
          ...(campaign.tags.length > 0
            ? [{ label: 'Tags', value: <bdi key="tags">{campaign.tags.join(', ')}</bdi> }]
            : []),
          ...(campaign.note ? [{ label: 'Note', value: <bdi key="note">{campaign.note}</bdi> }] : []),
          ...(campaign.archive_date
            ? [{ label: 'Archived', value: <DateTime key="archived" value={campaign.archive_date} /> }]
            : []),
          { label: 'Expires after', value: validityLabel(campaign.validity_seconds) },
          { label: 'Created', value: <DateTime value={campaign.create_date} /> },
        ]}
      />
      {isEditable(campaign) && campaign.status !== 'in_complete' && (
        <Link to={editCampaignPath(campaign)} className={styles.edit}>
          Edit campaign
        </Link>
      )}
    </section>
  );
}
