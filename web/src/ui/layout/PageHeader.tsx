import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './PageHeader.module.css';

interface PageHeaderProps {
  title: ReactNode;
  /** The purpose of the page, in one line. */
  description?: ReactNode;
  /** The primary action. */
  action?: ReactNode;
  /** Secondary actions, to the left of the primary one. */
  secondary?: ReactNode;
  /** A status, shown beside the title. */
  badge?: ReactNode;
  /** Tabs, shown below the title. */
  children?: ReactNode;
}

export function PageHeader({ title, description, action, secondary, badge, children }: PageHeaderProps) {
  return (
    <header className={styles.root}>
      <div className={styles.row}>
        <div className={styles.words}>
          <div className={styles.title}>
            <Title order={1} tabIndex={-1} dir="auto">
              {title}
            </Title>
            {badge}
          </div>
          {description && <p className={styles.description}>{description}</p>}
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
