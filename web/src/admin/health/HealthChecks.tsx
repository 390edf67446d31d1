import type { Health } from '@parley/contract/admin/customers.ts';
import { HEALTH_STATUS } from '@parley/contract/admin/customers.ts';
import { Link } from '@tanstack/react-router';
import { CONNECTIONS, SENDING } from '../../paths.ts';
import { Sparkline } from '../../ui/data/chart/Sparkline.tsx';
import { StatusBadge } from '../../ui/data/StatusBadge.tsx';
import styles from './Health.module.css';

/** The pages with the rows behind a value. */
const PAGES: Readonly<Record<string, string>> = {
  lines: CONNECTIONS,
  receipts: CONNECTIONS,
  sending: SENDING,
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
              {PAGES[name] ? (
                <Link to={PAGES[name]} className={styles.link} aria-label={`${label}: ${value}`}>
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
