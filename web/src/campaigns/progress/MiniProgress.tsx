import type { Campaign } from '@parley/contract/campaigns/campaigns.ts';
import { formatNumber } from '../../ui/data/format.ts';
import styles from '../Campaigns.module.css';
import { campaignTotals, outcomeText } from './progress.ts';

/** The progress bar in a table row: delivered, sent, and undelivered recipients. */
export function MiniProgress({ campaign }: { campaign: Campaign }) {
  if (!campaign.start_date) return '\u2013';
  const totals = campaignTotals(campaign);
  const { done, total, delivered, sent, failed, left } = totals;
  const isRunning = campaign.status === 'in_progress' && left > 0;
  const width = (count: number) => ({ width: `${total === 0 ? 0 : (count / total) * 100}%` });
  return (
    <span className={styles.mini}>
      <span className={styles.miniBar} aria-hidden>
        <span data-tone="ok" style={width(delivered)} />
        <span data-tone="flight" style={width(sent)} />
        <span data-tone="fail" style={width(failed)} />
      </span>
      <span className={styles.miniText}>
        {isRunning ? `${formatNumber(done)} of ${formatNumber(total)}` : outcomeText(totals)}
      </span>
    </span>
  );
}
