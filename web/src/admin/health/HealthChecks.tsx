import type { Health } from '@parley/contract/admin/customers.ts';
import { HEALTH_STATUS } from '@parley/contract/admin/customers.ts';
import { Link } from '@tanstack/react-router';
import { CONNECTIONS, HEALTH, SENDING, UNMATCHED_RECEIPTS } from '../../paths.ts';
import { Sparkline } from '../../ui/data/chart/Sparkline.tsx';
import { StatusBadge } from '../../ui/data/StatusBadge.tsx';
import styles from './Health.module.css';

/** Links from each check to the page or section that lists its rows. The others measure times, sizes, or settings. */
const ROWS: Readonly<Record<string, { to: string; hash?: string }>> = {
  workers: { to: HEALTH, hash: 'workers' },
  lines: { to: CONNECTIONS },
  connections: { to: CONNECTIONS },
  carrier_errors: { to: CONNECTIONS },
  daily_limits: { to: CONNECTIONS },
  receipts: { to: UNMATCHED_RECEIPTS },
  messages: { to: HEALTH, hash: 'queues' },
  jobs: { to: HEALTH, hash: 'queues' },
  mails: { to: HEALTH, hash: 'queues' },
  codes: { to: HEALTH, hash: 'code-stops' },
  money: { to: HEALTH, hash: 'doctor' },
  doctor: { to: HEALTH, hash: 'doctor' },
  sending: { to: SENDING },
};

/** Lists each check with its value. If a check did not pass, also tells the operator what to do. */
export function HealthChecks({ checks }: { checks: Health['checks'] }) {
  return (
    <ul className={styles.checks}>
      {checks.map(({ name, label, status, value, detail, trend }) => (
        <li key={name} className={styles.check} data-status={status}>
          <div className={styles.checkHead}>
            <span className={styles.label}>{label}</span>
            {status !== 'good' && <StatusBadge {...HEALTH_STATUS[status]} />}
          </div>
          <div className={styles.figure}>
            <span className={styles.value}>
              {ROWS[name] ? (
                <Link {...ROWS[name]} className={styles.link} aria-label={`${label}: ${value}`}>
                  {value}
                </Link>
              ) : (
                value
              )}
            </span>
            <Sparkline values={trend} period={`${label} in the last hour`} />
          </div>
          {detail && <span className={styles.detail}>{detail}</span>}
        </li>
      ))}
    </ul>
  );
}
