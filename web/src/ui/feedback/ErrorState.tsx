import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import styles from './EmptyState.module.css';

export interface ErrorStateProps {
  /** What could not be done: "The campaigns could not be loaded". */
  title: string;
  /** What is known of the reason. */
  children?: ReactNode;
  onRetry?: (() => void) | undefined;
  retrying?: boolean;
}

/** In the place of what failed, with the way to try again. */
export function ErrorState({ title, children, onRetry, retrying = false }: ErrorStateProps) {
  return (
    <div className={styles.root} role="alert">
      <span className={styles.icon} data-tone="fail">
        <IconAlertTriangle size={22} stroke={1.6} aria-hidden />
      </span>
      <p className={styles.title}>{title}</p>
      {children && <div className={styles.text}>{children}</div>}
      {onRetry && (
        <div className={styles.action}>
          <Button variant="default" onClick={onRetry} loading={retrying}>
            Retry
          </Button>
        </div>
      )}
    </div>
  );
}
