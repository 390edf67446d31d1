import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import styles from './Dashboard.module.css';

interface CardProps {
  title: string;
  /** The link to the full list. */
  more?: { label: string; href: string } | undefined;
  /** Progress or a figure, shown beside the title. */
  note?: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}

/** A titled section of the dashboard. */
export function Card({ title, more, note, action, children }: CardProps) {
  return (
    <section className={styles.card} aria-label={title}>
      <header className={styles.cardHead}>
        <h2 className={styles.cardTitle}>{title}</h2>
        {note && <span className={styles.dim}>{note}</span>}
        {action}
        {more && (
          <Link to={more.href} className={styles.more}>
            {more.label}
          </Link>
        )}
      </header>
      {children}
    </section>
  );
}
