import styles from './CountBadge.module.css';

export interface CountBadgeProps {
  count: number;
  /** What is counted, for the accessible name: "unread". */
  label?: string;
  quiet?: boolean;
}

/** Above 99 it reads 99+; zero draws nothing. */
export function CountBadge({ count, label, quiet = false }: CountBadgeProps) {
  if (count <= 0) return null;
  return (
    <span className={styles.root} data-quiet={quiet || undefined}>
      {count > 99 ? '99+' : count}
      {label && <span className={styles.label}> {label}</span>}
    </span>
  );
}
