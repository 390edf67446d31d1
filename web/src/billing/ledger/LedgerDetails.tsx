import type { LedgerEntry } from '@parley/contract/billing/billing.ts';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { volumeText } from '../../channels/volume_text.ts';
import {
  CARRIER_HISTORY,
  campaignPath,
  holdPath,
  linkToAddress,
  messagePath,
  paymentPath,
  senderPath,
} from '../../paths.ts';
import { formatCount, formatNumber } from '../../ui/data/format.ts';
import styles from '../Billing.module.css';

/** What a ledger entry is about, with a link to it. */
export function LedgerDetails({ entry }: { entry: LedgerEntry }) {
  const { volume } = entry;
  if (volume === null) return <Subject entry={entry} />;
  return (
    <span className={styles.volume}>
      <Subject entry={entry} />
      <span className={styles.volumeNote}>{stepText(volume)}</span>
    </span>
  );
}

function Subject({ entry }: { entry: LedgerEntry }) {
  const { campaign_id, campaign_channel, message_id, message_count, hold_id, payment_id, sender_id, note } = entry;
  if (campaign_id !== null && campaign_channel !== null)
    return <To path={campaignPath({ channel: campaign_channel, id: campaign_id })}>Open campaign</To>;
  if (message_id !== null) return <To path={messagePath(message_id)}>Open message</To>;
  if (payment_id !== null) return <To path={paymentPath(payment_id)}>Open payment</To>;
  if (sender_id !== null) return <To path={senderPath(sender_id)}>{note}</To>;
  if (entry.is_lookup) return <To path={CARRIER_HISTORY}>{note || 'Carrier lookup'}</To>;
  if (hold_id !== null && message_count > 0)
    return <To path={holdPath(hold_id)}>{formatCount(message_count, 'message')}</To>;
  return note || '–';
}

const To = ({ path, children }: { path: string; children: ReactNode }) => (
  <Link {...linkToAddress(path)}>{children}</Link>
);

function stepText(volume: NonNullable<LedgerEntry['volume']>): string {
  const { above_units, channel } = volume;
  const price = above_units === 0 ? 'list price' : `price above ${formatNumber(above_units)}`;
  return `${volumeText(volume, channel)}, ${price}`;
}
