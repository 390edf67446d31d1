import type { Campaign, SkipReason } from '@parley/contract/campaigns/campaigns.ts';
import { BUCKET_LABELS } from '@parley/contract/campaigns/statuses.ts';
import { useEffect, useState } from 'react';
import { recipientsPath, skippedPath, unsentPath } from '../../paths.ts';
import { formatMoney, formatNumber, formatPercent } from '../../ui/data/format.ts';
import { type Stat, StatChips } from '../../ui/data/StatChips.tsx';
import type { Tone } from '../../ui/data/status.ts';
import { Progress } from '../../ui/feedback/Progress.tsx';
import styles from '../Campaigns.module.css';
import { SKIP_LABELS } from '../labels.ts';
import {
  campaignTotals,
  countListedSkips,
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
      {skipped > 0 && <p className={styles.skips}>Skipped recipients: {skipText(campaign)}.</p>}
    </section>
  );
}

/** Why contacts were skipped: "on the stop list (3), duplicate (1)". */
const skipText = ({ skipped }: Campaign): string =>
  (Object.entries(skipped) as [SkipReason, number][])
    .filter(([reason]) => reason !== 'canceled')
    .map(([reason, count]) => `${SKIP_LABELS[reason].toLowerCase()} (${formatNumber(count)})`)
    .join(', ');

/** A figure links to the recipients that it counts. Contacts without a message are in no list; a hint says why. */
function outcomeStats(campaign: Campaign, { total, delivered, sent, failed }: Totals): Stat[] {
  const { enroute, canceled } = campaign.counts;
  const share = (count: number) => (total > 0 && count / total >= 0.0005 ? formatPercent(count, total) : undefined);
  const listed = (bucket: Exclude<keyof typeof BUCKET_LABELS, 'all'>, count: number, tone: Tone): Stat => ({
    key: bucket,
    label: BUCKET_LABELS[bucket],
    value: formatNumber(count),
    tone,
    href: recipientsPath(campaign, bucket),
  });
  const { notStarted, neverStarted, skipped } = unlistedStats(campaign);
  return [
    ...notStarted,
    ...(enroute > 0 ? [listed('waiting', enroute, 'wait')] : []),
    ...reviewStats(campaign),
    { ...listed('sent', sent, 'flight'), note: share(sent) },
    { ...listed('delivered', delivered, 'ok'), note: share(delivered) },
    { ...listed('failed', failed, 'fail'), note: share(failed) },
    ...(canceled > 0 ? [listed('canceled', canceled, 'off')] : []),
    ...neverStarted,
    ...skipped,
    ...(campaign.cost_micros === null
      ? []
      : [{ key: 'cost', label: 'Cost', value: formatMoney(campaign.cost_micros, campaign.currency) }]),
  ];
}

/** Messages that operators review. They are also among the waiting ones. */
const reviewStats = ({ in_review }: Campaign): Stat[] =>
  in_review > 0
    ? [
        {
          ...{ key: 'in_review', label: 'In review', value: formatNumber(in_review), tone: 'wait' as const },
          hint: 'Held because of their content until an operator releases or rejects them. The others are sent.',
        },
      ]
    : [];

/** The contacts without a message, each figure only if there are any. */
function unlistedStats(campaign: Campaign): Record<'notStarted' | 'neverStarted' | 'skipped', Stat[]> {
  const stat = (key: string, label: string, count: number, tone: Tone, more: Pick<Stat, 'hint' | 'href'>): Stat[] =>
    count > 0 ? [{ key, label, value: formatNumber(count), tone, ...more }] : [];
  const { counts, skipped, lists_canceled } = campaign;
  return {
    notStarted: stat('left', 'Not started', counts.waiting, 'wait', {
      hint: 'Contacts whose messages have not been created yet.',
    }),
    neverStarted: stat(
      'never_started',
      'Never started',
      skipped.canceled ?? 0,
      'off',
      lists_canceled
        ? { href: unsentPath(campaign) }
        : { hint: 'The campaign was canceled before messages were created for these contacts.' },
    ),
    skipped: skippedStats(campaign),
  };
}

/**
 * Skipped contacts are listed, except those that left the audience, which the text below counts, and those of campaigns
 * from older versions.
 */
function skippedStats(campaign: Campaign): Stat[] {
  const { lists_skips } = campaign;
  const count = lists_skips ? countListedSkips(campaign) : campaignTotals(campaign).skipped;
  const hint = lists_skips ? undefined : `No message was created: ${skipText(campaign)}.`;
  const href = lists_skips ? skippedPath(campaign) : undefined;
  return count > 0
    ? [{ key: 'skipped', label: 'Skipped', value: formatNumber(count), tone: 'off' as const, href, hint }]
    : [];
}

/** Recipients per second, measured while this page is open. */
function useRate(done: number, running: boolean): number | null {
  const [readings, setReadings] = useState<Reading[]>([]);
  useEffect(() => {
    setReadings((old) => (running ? withReading(old, { at: performance.now(), done }) : []));
  }, [done, running]);
  return measureRate(readings);
}
