import { VisuallyHidden } from '@mantine/core';
import styles from './CountBadge.module.css';

interface CountBadgeProps {
  count: number;
  /** Names what is counted, for screen readers: "unread". */
  label?: string;
  quiet?: boolean;
}

/** A count; above 99 it reads 99+, and zero draws nothing. */
export function CountBadge({ count, label, quiet = false }: CountBadgeProps) {
  if (count <= 0) return null;
  return (
    <span className={styles.root} data-quiet={quiet || undefined}>
      {count > 99 ? '99+' : count}
      {label && <VisuallyHidden> {label}</VisuallyHidden>}
    </span>
  );
}
