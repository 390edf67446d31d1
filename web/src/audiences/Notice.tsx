import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import styles from './Audiences.module.css';

const ICONS = { ok: IconCircleCheck, wait: IconAlertTriangle, fail: IconAlertTriangle, info: IconInfoCircle };

/** A sentence about the state of the thing, in its place, with the next step at its end. */
export function Notice({
  tone,
  children,
  action,
}: {
  tone: keyof typeof ICONS;
  children: ReactNode;
  action?: ReactNode;
}) {
  const Icon = ICONS[tone];
  return (
    <div className={styles.notice} data-tone={tone} role={tone === 'info' ? 'note' : 'status'}>
      <Icon size={16} aria-hidden />
      <span>{children}</span>
      {action}
    </div>
  );
}
