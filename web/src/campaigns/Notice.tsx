import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import styles from './Campaigns.module.css';

/** A sentence about the state of the thing, in its place, with the way out at its end. */
export function Notice({
  tone,
  children,
  action,
}: {
  tone: 'wait' | 'fail' | 'info';
  children: ReactNode;
  action?: ReactNode;
}) {
  const Icon = tone === 'info' ? IconInfoCircle : IconAlertTriangle;
  return (
    <div className={styles.notice} data-tone={tone} role={tone === 'info' ? 'note' : 'status'}>
      <Icon size={16} aria-hidden />
      <span className={styles.noticeText}>{children}</span>
      {action}
    </div>
  );
}
