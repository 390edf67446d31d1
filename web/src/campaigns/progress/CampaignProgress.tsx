import type { Campaign, SkipReason } from '@parley/contract/campaigns/campaigns.ts';
import { BUCKET_LABELS } from '@parley/contract/campaigns/statuses.ts';
import { useEffect, useState } from 'react';
import { formatMoney, formatNumber, formatPercent } from '../../ui/data/format.ts';
import { type Stat, StatChips } from '../../ui/data/StatChips.tsx';
import { Progress } from '../../ui/feedback/Progress.tsx';
import styles from '../Campaigns.module.css';
import { SKIP_LABELS } from '../labels.ts';
import {
  campaignTotals,
  measureRate,
  outcomeText,
  type Reading,
  secondsLeft,
  type Totals,
  withReading,
} from './progress.ts';
import type { Bucket } from './Recipients.tsx';

export function CampaignProgress({ campaign, onBucket }: { campaign: Campaign; onBucket: (bucket: Bucket) => void }) {
  const totals = campaignTotals(campaign);
  const { done, total, left, delivered, sent, failed, skipped, canceled } = totals;
  const running = campaign.status === 'in_progress' && left > 0;
  const rate = useRate(done, running);
  return (
    <section className={styles.progress} aria-label="Progress">
      <Progress
        label={campaign.name}
        done={done}
        total={total}
        running={running}
        {...(running ? {} : { result: outcomeText(totals) })}
        rate={rate}
        seconds_left={secondsLeft(left, rate)}
        parts={[
          { key: 'delivered', label: BUCKET_LABELS.delivered, value: delivered, tone: 'ok' },
          { key: 'sent', label: BUCKET_LABELS.sent, value: sent, tone: 'flight' },
          { key: 'failed', label: BUCKET_LABELS.failed, value: failed, tone: 'fail' },
          { key: 'off', label: 'Skipped or canceled', value: skipped + canceled, tone: 'off' },
        ]}
      />
      {running && <p className={styles.background}>You can close this tab. Sending continues in the background.</p>}
      <StatChips label="Recipients by outcome" stats={outcomeStats(campaign, totals, onBucket)} />
      {skipped > 0 && (
        <p className={styles.skips}>
          Skipped recipients:{' '}
          {(Object.entries(campaign.skipped) as [SkipReason, number][])
            .filter(([reason]) => reason !== 'canceled')
            .map(([reason, count]) => `${SKIP_LABELS[reason].toLowerCase()} (${formatNumber(count)})`)
            .join(', ')}
          .
        </p>
      )}
    </section>
  );
}

function outcomeStats(campaign: Campaign, totals: Totals, onBucket: (bucket: Bucket) => void): Stat[] {
  const { total, left, delivered, sent, failed, skipped, canceled } = totals;
  const share = (count: number) => (total > 0 && count / total >= 0.0005 ? formatPercent(count, total) : undefined);
  return [
    ...(left > 0
      ? [
          {
            key: 'left',
            label: BUCKET_LABELS.waiting,
            value: formatNumber(left),
            tone: 'wait' as const,
            onClick: () => onBucket('waiting'),
          },
        ]
      : []),
    {
      key: 'sent',
      label: BUCKET_LABELS.sent,
      value: formatNumber(sent),
      tone: 'flight',
      note: share(sent),
      onClick: () => onBucket('sent'),
    },
    {
      key: 'delivered',
      label: BUCKET_LABELS.delivered,
      value: formatNumber(delivered),
      tone: 'ok',
      note: share(delivered),
      onClick: () => onBucket('delivered'),
    },
    {
      key: 'failed',
      label: BUCKET_LABELS.failed,
      value: formatNumber(failed),
      tone: 'fail',
      note: share(failed),
      onClick: () => onBucket('failed'),
    },
    ...(canceled > 0
      ? [
          {
            key: 'canceled',
            label: BUCKET_LABELS.canceled,
            value: formatNumber(canceled),
            tone: 'off' as const,
            onClick: () => onBucket('canceled'),
          },
        ]
      : []),
    ...(skipped > 0 ? [{ key: 'skipped', label: 'Skipped', value: formatNumber(skipped), tone: 'off' as const }] : []),
    { key: 'cost', label: 'Cost', value: formatMoney(campaign.cost_micros, campaign.currency) },
  ];
}

/** Recipients per second, measured while this page is open. */
function useRate(done: number, running: boolean): number | null {
  const [readings, setReadings] = useState<Reading[]>([]);
  useEffect(() => {
    setReadings((old) => (running ? withReading(old, { at: performance.now(), done }) : []));
  }, [done, running]);
  return measureRate(readings);
}
