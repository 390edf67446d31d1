import type { Campaign } from '@parley/contract/campaigns/campaigns.ts';
import { Link } from '@tanstack/react-router';
import { CARRIER_BULK } from '../../paths.ts';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { formatCount, formatNumber } from '../../ui/data/format.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import styles from '../Campaigns.module.css';

/** The progress of the lookups that the campaign waits for. */
export function Lookups({ campaign: { safeguards, status } }: { campaign: Campaign }) {
  const { lookup } = safeguards;
  if (!lookup || lookup.status === 'completed' || status !== 'in_progress') return null;
  const numbers = `${formatNumber(lookup.done)} of ${formatCount(lookup.total, 'number')}`;
  return (
    <Notice className={styles.above} tone="info">
      {lookup.status === 'paused'
        ? `The lookups are paused after ${numbers}. Messages are sent once all numbers are looked up. `
        : `Looking up numbers: ${numbers}. Then the messages are sent. `}
      <Link to={CARRIER_BULK}>Bulk lookups</Link>
    </Notice>
  );
}

/** The state of the canary, while the rest of the campaign has not been sent. */
export function Canary({ campaign: { safeguards, status } }: { campaign: Campaign }) {
  const { canary } = safeguards;
  if (!canary || canary.status === 'passed' || status !== 'in_progress') return null;
  const group = formatCount(canary.recipients, 'recipient');
  return (
    <Notice className={styles.above} tone="info">
      {canary.end_date ? (
        <>
          The first {group} got the message. If the results stay within the limits, the rest is sent at{' '}
          <DateTime value={canary.end_date} />.
        </>
      ) : (
        `The message goes to ${group} first. The wait begins once carriers have accepted these messages.`
      )}
    </Notice>
  );
}
