import type { Campaign } from '@parley/contract/campaigns/campaigns.ts';
import { BUCKET_LABELS, CAMPAIGN_STATUS } from '@parley/contract/campaigns/statuses.ts';
import { DEFAULT_CHANNEL } from '@parley/contract/channels/names.ts';
import { Link } from '@tanstack/react-router';
import '../campaigns/live.ts';
import { campaignTotals } from '../campaigns/progress/progress.ts';
import { campaignPath, campaignsPath, editCampaignPath, recipientsPath } from '../paths.ts';
import { DateTime } from '../ui/data/DateTime.tsx';
import { Figure } from '../ui/data/Figure.tsx';
import { formatNumber, formatPercent } from '../ui/data/format.ts';
import { Money } from '../ui/data/Money.tsx';
import { StatusBadge } from '../ui/data/StatusBadge.tsx';
import { Progress } from '../ui/feedback/Progress.tsx';
import { Card } from './Card.tsx';
import styles from './Dashboard.module.css';

const MAX_CAMPAIGNS = 6;

/** Running campaigns with their progress, then the latest ones with their results. */
export function LatestCampaigns({ campaigns }: { campaigns: readonly Campaign[] }) {
  const running = campaigns.filter(({ status }) => status === 'in_progress');
  const rest = campaigns
    .filter(({ status }) => status !== 'in_progress')
    .slice(0, Math.max(1, MAX_CAMPAIGNS - running.length));
  return (
    <Card title="Campaigns" more={{ label: 'All campaigns', href: campaignsPath(DEFAULT_CHANNEL) }}>
      <ul className={styles.rows}>
        {running.map((campaign) => (
          <Running key={campaign.id} campaign={campaign} />
        ))}
        {rest.map((campaign) => (
          <Ended key={campaign.id} campaign={campaign} />
        ))}
      </ul>
    </Card>
  );
}

function Running({ campaign }: { campaign: Campaign }) {
  const { done, total, delivered, sent, failed, skipped, canceled } = campaignTotals(campaign);
  return (
    <li className={styles.running}>
      <div className={styles.runningHead}>
        <Link to={campaignPath(campaign)} className={styles.nameLink}>
          {campaign.name}
        </Link>
        <StatusBadge {...CAMPAIGN_STATUS[campaign.status]} />
      </div>
      <Progress
        label={campaign.name}
        done={done}
        total={total}
        running
        parts={[
          { key: 'delivered', label: BUCKET_LABELS.delivered, value: delivered, tone: 'ok' },
          { key: 'sent', label: BUCKET_LABELS.sent, value: sent, tone: 'flight' },
          { key: 'failed', label: BUCKET_LABELS.failed, value: failed, tone: 'fail' },
          { key: 'off', label: 'Skipped or canceled', value: skipped + canceled, tone: 'off' },
        ]}
      />
    </li>
  );
}

function Ended({ campaign }: { campaign: Campaign }) {
  const { delivered, failed, total } = campaignTotals(campaign);
  const started = campaign.start_date !== null;
  return (
    <li className={styles.ended}>
      <div className={styles.words}>
        <Link
          to={
            campaign.status === 'in_complete' && !campaign.approval
              ? editCampaignPath(campaign)
              : campaignPath(campaign)
          }
          className={styles.nameLink}
        >
          {campaign.name}
        </Link>
        <p className={styles.dim}>
          <When campaign={campaign} />
        </p>
      </div>
      {started && (
        <p className={styles.outcome}>
          <span>
            <b>{formatPercent(delivered, total)}</b> delivered
          </span>
          <span className={styles.dim}>
            <Figure
              href={recipientsPath(campaign, 'delivered')}
              label={`${formatNumber(delivered)} delivered to recipients of ${campaign.name}`}
            >
              {formatNumber(delivered)}
            </Figure>{' '}
            of {formatNumber(total)}
            {failed > 0 && (
              <>
                {', '}
                <Figure href={recipientsPath(campaign, 'failed')}>{formatNumber(failed)} undelivered</Figure>
              </>
            )}
            {', '}
            <Money micros={campaign.cost_micros} currency={campaign.currency} />
          </span>
        </p>
      )}
      <span className={styles.badge}>
        <StatusBadge {...CAMPAIGN_STATUS[campaign.status]} />
      </span>
    </li>
  );
}

function When({ campaign }: { campaign: Campaign }) {
  if (campaign.start_date)
    return (
      <>
        Started <DateTime value={campaign.start_date} />
      </>
    );
  if (campaign.schedule && campaign.status === 'scheduled')
    return (
      <>
        Scheduled for <DateTime value={campaign.schedule} />
      </>
    );
  return (
    <>
      Created <DateTime value={campaign.create_date} />
    </>
  );
}
