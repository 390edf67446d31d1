import { IconChevronLeft } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import styles from './Back.module.css';

export interface BackProps {
  to: string;
  search?: never;
  children: string;
}

/** The link above the title of a page that leads to the page it belongs to. */
export function Back({ children, ...target }: BackProps) {
  return (
    <Link {...target} className={styles.back}>
      <IconChevronLeft size={15} aria-hidden />
      {children}
    </Link>
  );
}
