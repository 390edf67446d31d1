import type { IconProps } from '@tabler/icons-react';
import type { ComponentType, ReactNode } from 'react';
import styles from './EmptyState.module.css';

interface EmptyStateProps {
  icon?: ComponentType<IconProps>;
  /** "No campaigns yet" or "No campaigns match these filters". */
  title: string;
  /** Makes the title the page's heading if the page has no other. */
  heading?: boolean;
  /** Why the list is empty. */
  children?: ReactNode;
  /** The action for the next step. */
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
