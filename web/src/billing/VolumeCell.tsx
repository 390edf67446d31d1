import type { Rate } from '@parley/contract/billing/rates.ts';
import { formatNumber } from '../ui/data/format.ts';
import styles from './Billing.module.css';
import { monthLabel } from './statements.ts';
import { VolumeSteps } from './VolumeSteps.tsx';

/** The volume prices of a destination: the steps, the volume of this month, and planned changes. */
export function VolumeCell({ rate }: { rate: Rate }) {
  const { steps, month_units, next_steps, next_steps_month, currency } = rate;
  if (steps.length === 0 && next_steps === null) return '–';
  return (
    <span className={styles.volume}>
      {steps.length > 0 && <VolumeSteps steps={steps} currency={currency} />}
      {month_units !== null && <span className={styles.volumeNote}>{formatNumber(month_units)} this month (UTC)</span>}
      {next_steps !== null && next_steps_month !== null && (
        <span className={styles.volumeNote}>
          From {monthLabel(next_steps_month)}: <VolumeSteps steps={next_steps} currency={currency} />
        </span>
      )}
    </span>
  );
}
