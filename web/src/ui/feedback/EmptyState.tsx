import type { IconProps } from '@tabler/icons-react';
import type { ComponentType, ReactNode } from 'react';
import styles from './EmptyState.module.css';

export interface EmptyStateProps {
  icon?: ComponentType<IconProps>;
  /** What this is and that there is none yet. */
  title: string;
  /** Where it is all there is on the page. */
  heading?: boolean;
  /** Why it is empty. */
  children?: ReactNode;
  /** The one next step. */
  action?: ReactNode;
}

export function EmptyState({ icon: Icon, title, heading = false, children, action }: EmptyStateProps) {
  const Title = heading ? 'h1' : 'p';
  return (
    <div className={styles.root}>
      {Icon && (
        <span className={styles.icon}>
          <Icon size={22} stroke={1.6} aria-hidden />
        </span>
      )}
      <Title className={styles.title}>{title}</Title>
      {children && <div className={styles.text}>{children}</div>}
      {action && <div className={styles.action}>{action}</div>}
    </div>
  );
}
