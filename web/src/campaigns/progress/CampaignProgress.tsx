import type { Campaign, SkipReason } from '@parley/contract/campaigns/campaigns.ts';
import { BUCKET_LABELS } from '@parley/contract/campaigns/statuses.ts';
import { useEffect, useState } from 'react';
import { recipientsPath } from '../../paths.ts';
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

export function CampaignProgress({ campaign }: { campaign: Campaign }) {
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
      <StatChips label="Recipients by outcome" stats={outcomeStats(campaign, totals)} />
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

function outcomeStats(campaign: Campaign, totals: Totals): Stat[] {
  const { waiting, enroute } = campaign.counts;
  const { total, delivered, sent, failed, skipped, canceled } = totals;
  const share = (count: number) => (total > 0 && count / total >= 0.0005 ? formatPercent(count, total) : undefined);
  return [
    // Contacts whose messages do not exist yet are in no list.
    ...(waiting > 0
      ? [{ key: 'left', label: 'Not started', value: formatNumber(waiting), tone: 'wait' as const }]
      : []),
    ...(enroute > 0
      ? [
          {
            key: 'waiting',
            label: BUCKET_LABELS.waiting,
            value: formatNumber(enroute),
            tone: 'wait' as const,
            href: recipientsPath(campaign, 'waiting'),
          },
        ]
      : []),
    {
      key: 'sent',
      label: BUCKET_LABELS.sent,
      value: formatNumber(sent),
      tone: 'flight',
      note: share(sent),
      href: recipientsPath(campaign, 'sent'),
    },
    {
      key: 'delivered',
      label: BUCKET_LABELS.delivered,
      value: formatNumber(delivered),
      tone: 'ok',
      note: share(delivered),
      href: recipientsPath(campaign, 'delivered'),
    },
    {
      key: 'failed',
      label: BUCKET_LABELS.failed,
      value: formatNumber(failed),
      tone: 'fail',
      note: share(failed),
      href: recipientsPath(campaign, 'failed'),
    },
    ...(canceled > 0
      ? [
          {
            key: 'canceled',
            label: BUCKET_LABELS.canceled,
            value: formatNumber(canceled),
            tone: 'off' as const,
            href: recipientsPath(campaign, 'canceled'),
          },
        ]
      : []),
    ...(skipped > 0 ? [{ key: 'skipped', label: 'Skipped', value: formatNumber(skipped), tone: 'off' as const }] : []),
    ...(campaign.cost_micros === null
      ? []
      : [{ key: 'cost', label: 'Cost', value: formatMoney(campaign.cost_micros, campaign.currency) }]),
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
