import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import styles from './Notice.module.css';

const ICONS = { ok: IconCircleCheck, wait: IconAlertTriangle, fail: IconAlertTriangle, info: IconInfoCircle };

/** A short message about the state of the surrounding page or form, with an optional action at its end. */
export function Notice({
  tone,
  children,
  action,
  className = '',
}: {
  tone: keyof typeof ICONS;
  children: ReactNode;
  action?: ReactNode;
  /** A class that sets the space around the notice. */
  className?: string | undefined;
}) {
  const Icon = ICONS[tone];
  return (
    <div className={`${styles.root} ${className}`} data-tone={tone} role={tone === 'info' ? 'note' : 'status'}>
      <Icon size={16} aria-hidden />
      <span className={styles.text} dir="auto">
        {children}
      </span>
      {action}
    </div>
  );
}
