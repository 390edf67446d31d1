import type { Health } from '@parley/contract/admin/customers.ts';
import { HEALTH_STATUS } from '@parley/contract/admin/customers.ts';
import { StatusBadge } from '../../ui/data/StatusBadge.tsx';
import styles from './Health.module.css';

/** Lists each check with its value. If a check did not pass, also tells the operator what to do. */
export function HealthChecks({ checks }: { checks: Health['checks'] }) {
  return (
    <ul className={styles.checks}>
      {checks.map(({ name, label, status, value, detail }) => (
        <li key={name} className={styles.check} data-status={status}>
          <div className={styles.checkHead}>
            <span className={styles.label}>{label}</span>
            {status !== 'good' && <StatusBadge {...HEALTH_STATUS[status]} />}
          </div>
          <span className={styles.value}>{value}</span>
          {detail && <span className={styles.detail}>{detail}</span>}
        </li>
      ))}
    </ul>
  );
}
