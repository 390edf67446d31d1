import { VisuallyHidden } from '@mantine/core';
import styles from './CountBadge.module.css';

interface CountBadgeProps {
  count: number;
  /** The name of the counted items for screen readers, such as "unread". */
  label?: string;
  quiet?: boolean;
}

/** A count. Shows "99+" for counts above 99 and nothing for zero. */
export function CountBadge({ count, label, quiet = false }: CountBadgeProps) {
  if (count <= 0) return null;
  return (
    <span className={styles.root} data-quiet={quiet || undefined}>
      {count > 99 ? '99+' : count}
      {label && <VisuallyHidden> {label}</VisuallyHidden>}
    </span>
  );
}
