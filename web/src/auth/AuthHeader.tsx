import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import styles from './Auth.module.css';

/** The title, description, and general error of a public page. */
export function AuthHeader({
  title,
  children,
  problem = null,
  back,
}: {
  title: string;
  /** The link to the previous page. */
  back?: ReactNode;
  children?: ReactNode;
  problem?: string | null;
}) {
  return (
    <>
      {back}
      <h1 className={styles.title}>{title}</h1>
      <p className={styles.description}>{children}</p>
      {problem && (
        <p className={styles.problem} role="alert">
          <IconAlertTriangle size={16} aria-hidden />
          {problem}
        </p>
      )}
    </>
  );
}
