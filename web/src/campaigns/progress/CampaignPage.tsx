import { type Campaign, getCampaign } from '@parley/contract/campaigns/campaigns.ts';
import { DEFAULT_CHANNEL } from '@parley/contract/channels/names.ts';
import { IconChevronLeft, IconSend } from '@tabler/icons-react';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useEndpoint } from '../../kernel/http/query.ts';
import { RecordPage } from '../../kernel/record/RecordPage.tsx';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { formatDuration, instant } from '../../ui/data/format.ts';
import { StatusBadge } from '../../ui/data/StatusBadge.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { Fields } from '../../ui/layout/SidePanel.tsx';
import styles from '../Campaigns.module.css';
import { CampaignActions } from './CampaignActions.tsx';
import { CampaignProgress } from './CampaignProgress.tsx';
import '../live.ts';
import { campaignsPath, editCampaignPath } from '../../paths.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { isEditable } from '../editable.ts';
import { FixLink } from '../FixLink.tsx';
import { reasonWords } from '../words.ts';
import { Recipients } from './Recipients.tsx';

export default function CampaignPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const query = useEndpoint(getCampaign, { params: { id } });
  return (
    <RecordPage
      query={query}
      noun="campaign"
      icon={IconSend}
      list={{ to: campaignsPath(DEFAULT_CHANNEL), label: 'All campaigns' }}
    >
      {(campaign) => <CampaignDetails campaign={campaign} />}
    </RecordPage>
  );
}

const TROUBLE = { paused: 'wait', failed: 'fail', error: 'fail' } as const;

function CampaignDetails({ campaign }: { campaign: Campaign }) {
  const navigate = useNavigate();
  const { status } = campaign;
  const trouble = status in TROUBLE ? TROUBLE[status as keyof typeof TROUBLE] : null;
  const reason = reasonWords(campaign);
  return (
    <>
      <Link to={campaignsPath(campaign.channel)} className={styles.back}>
        <IconChevronLeft size={15} aria-hidden />
        {campaign.channel} campaigns
      </Link>
      <PageHeader
        title={campaign.name}
        badge={<StatusBadge status={status} />}
        description={<Line campaign={campaign} />}
        action={<CampaignActions campaign={campaign} />}
      />
      {trouble && reason && (
        <Notice
          className={styles.above}
          tone={trouble}
          action={
            <FixLink fix={campaign.status_details === 'balance' ? { label: 'Add funds', path: '/add-funds' } : null} />
          }
        >
          {reason}.
          {status === 'paused' &&
            campaign.counts.enroute > 0 &&
            ' Messages made already wait in the queue until their validity ends.'}
        </Notice>
      )}
      {campaign.start_date && (
        <CampaignProgress
          campaign={campaign}
          onBucket={(bucket) =>
            void navigate({
              to: '.',
              search: ((old: Record<string, unknown>) => ({ ...old, bucket, page: undefined })) as never,
              resetScroll: false,
            })
          }
        />
      )}
      <Facts campaign={campaign} />
      {campaign.start_date && <Recipients campaign={campaign} />}
    </>
  );
}

function Line({ campaign }: { campaign: Campaign }) {
  if (campaign.end_date && campaign.start_date)
    return (
      <>
        Started <DateTime value={campaign.start_date} />, {campaign.status === 'canceled' ? 'canceled after' : 'took'}{' '}
        {formatDuration(secondsBetween(campaign.start_date, campaign.end_date))}
      </>
    );
  if (campaign.start_date)
    return (
      <>
        Started <DateTime value={campaign.start_date} />
      </>
    );
  if (campaign.status === 'scheduled' && campaign.schedule)
    return (
      <>
        Goes out on <DateTime value={campaign.schedule} />
      </>
    );
  return (
    <>
      Created <DateTime value={campaign.create_date} />
    </>
  );
}

const secondsBetween = (from: string, to: string): number => (instant(to).getTime() - instant(from).getTime()) / 1_000;

function Facts({ campaign }: { campaign: Campaign }) {
  return (
    <section className={styles.facts} aria-label="What is sent">
      <blockquote className={styles.message}>
        {campaign.text || <span className={styles.nothing}>No text yet</span>}
      </blockquote>
      <Fields
        fields={[
          { label: 'Sender', value: campaign.sender_name },
          { label: 'Audience', value: campaign.audience_name ?? (campaign.start_date ? 'Deleted since' : null) },
          { label: 'Given up after', value: `${Math.round(campaign.validity_seconds / 360) / 10} h` },
          { label: 'Created', value: <DateTime value={campaign.create_date} /> },
        ]}
      />
      {isEditable(campaign) && campaign.status !== 'in_complete' && (
        <Link to={editCampaignPath(campaign)} className={styles.back}>
          Edit
        </Link>
      )}
    </section>
  );
}
