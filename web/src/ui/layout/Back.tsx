import { IconChevronLeft } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import styles from './Back.module.css';

interface BackProps {
  to: string;
  search?: never;
  children: string;
}

/** The link above a page's title to the parent page. */
export function Back({ children, ...target }: BackProps) {
  return (
    <Link {...target} className={styles.back}>
      <IconChevronLeft size={15} aria-hidden />
      {children}
    </Link>
  );
}
