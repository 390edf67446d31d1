import type { Campaign } from '@parley/contract/campaigns/campaigns.ts';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { formatCount, formatNumber } from '../../ui/data/format.ts';
import styles from '../Campaigns.module.css';

const SHOWN = 6;

/** The recipients waiting for their delivery window or local time. */
export function Waits({ waits }: { waits: Campaign['waits'] }) {
  if (waits.length === 0) return null;
  const later = waits.slice(SHOWN).reduce((sum, { recipients }) => sum + recipients, 0);
  return (
    <section className={styles.forecast} aria-label="Waiting for their local time">
      <h2>Waiting for their local time</h2>
      <div className={styles.forecastBox}>
        <table className={styles.forecastTable}>
          <thead>
            <tr>
              <th scope="col">Sent from</th>
              <th scope="col">Recipients</th>
            </tr>
          </thead>
          <tbody>
            {waits.slice(0, SHOWN).map(({ until, recipients }) => (
              <tr key={until}>
                <th scope="row">
                  <DateTime value={until} />
                </th>
                <td>{formatNumber(recipients)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {later > 0 && <p className={styles.forecastNote}>{formatCount(later, 'recipient')} will get it later.</p>}
    </section>
  );
}
