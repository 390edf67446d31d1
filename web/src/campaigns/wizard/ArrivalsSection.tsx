/** When recipients will get the message, as a chart with its table. */
import type { CampaignPreview } from '@parley/contract/campaigns/previews.ts';
import { Chart } from '../../ui/data/chart/Chart.tsx';
import { dayKey, formatCount, formatDateTime, formatDayMonth, formatTime } from '../../ui/data/format.ts';
import { useZone } from '../../ui/data/zone.ts';
import styles from './Wizard.module.css';

export default function ArrivalsSection({ preview }: { preview: CampaignPreview }) {
  const zone = useZone();
  const { arrivals, zones } = preview;
  const { buckets, first, last } = arrivals;
  if (!first || !last) return null;
  const estimated = zones.country + zones.account;
  // Short labels fit on the axis. The line below the chart has the year.
  const isOneDay = dayKey(first, zone) === dayKey(last, zone);
  const label = (time: string) =>
    isOneDay ? formatTime(time, zone) : `${formatDayMonth(dayKey(time, zone))} ${formatTime(time, zone)}`;
  return (
    <div className={styles.block}>
      <Chart
        title="When recipients get the message"
        kind="bar"
        rows={buckets.map(({ from, recipients }) => ({ from: label(from), recipients }))}
        x={{ key: 'from', label: 'From' }}
        series={[{ key: 'recipients', label: 'Recipients', color: 'var(--accent)' }]}
        file="arrivals"
        height={180}
        empty={null}
      />
      <p className={styles.hint}>
        From {formatDateTime(first, zone)} to {formatDateTime(last, zone)}, in the account’s time zone.
        {estimated > 0 && ` ${describeEstimated(zones)}`}
      </p>
    </div>
  );
}

function describeEstimated({ country, account }: CampaignPreview['zones']): string {
  const main = country > 0 && `The time zone of ${formatCount(country, 'recipient')} is estimated from the country.`;
  const own =
    account > 0 && `The time zone of ${formatCount(account, 'recipient')} is unknown, so the account’s is used.`;
  return [main, own].filter(Boolean).join(' ');
}
