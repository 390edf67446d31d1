import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './PageHeader.module.css';

export interface PageHeaderProps {
  title: ReactNode;
  /** What the page is for, in one line. */
  line?: ReactNode;
  /** The one primary action. */
  action?: ReactNode;
  /** Lesser actions, left of the primary one. */
  secondary?: ReactNode;
  /** Beside the title: a status. */
  mark?: ReactNode;
  /** Below: tabs. */
  children?: ReactNode;
}

export function PageHeader({ title, line, action, secondary, mark, children }: PageHeaderProps) {
  return (
    <header className={styles.root}>
      <div className={styles.row}>
        <div className={styles.words}>
          <div className={styles.title}>
            <Title order={1}>{title}</Title>
            {mark}
          </div>
          {line && <p className={styles.line}>{line}</p>}
        </div>
        {(action || secondary) && (
          <div className={styles.actions}>
            {secondary}
            {action}
          </div>
        )}
      </div>
      {children}
    </header>
  );
}
