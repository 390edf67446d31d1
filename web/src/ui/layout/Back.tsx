import { IconChevronLeft } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import styles from '../../admin/Admin.module.css';

export function Back({ to, children }: { to: string; children: string }) {
  return (
    <Link to={to} className={styles.back}>
      <IconChevronLeft size={15} aria-hidden />
      {children}
    </Link>
  );
}
