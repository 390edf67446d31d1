import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import styles from './Auth.module.css';

/** Of a public page: what it is, what to do here, and what went wrong with all of it. */
export function AuthHeader({
  title,
  children,
  problem = null,
}: {
  title: string;
  children?: ReactNode;
  problem?: string | null;
}) {
  return (
    <>
      <h1 className={styles.title}>{title}</h1>
      <p className={styles.line}>{children}</p>
      {problem && (
        <p className={styles.refused} role="alert">
          <IconAlertTriangle size={16} aria-hidden />
          {problem}
        </p>
      )}
    </>
  );
}
