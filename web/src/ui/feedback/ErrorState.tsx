import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import styles from './EmptyState.module.css';

interface ErrorStateProps {
  /** The failure: "The campaigns could not be loaded". */
  title: string;
  /** The reason for the failure. */
  children?: ReactNode;
  onRetry?: (() => void) | undefined;
  retrying?: boolean;
}

/** An error with a Retry button, shown in place of the content that failed to load. */
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
