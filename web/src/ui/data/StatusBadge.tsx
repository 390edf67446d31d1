import { Tooltip } from '../feedback/Tooltip.tsx';
import styles from './StatusBadge.module.css';
import { STATUS_ICONS, type StatusWord, type Tone } from './status.ts';

interface StatusBadgeProps extends StatusWord {
  /** The reason for the status, shown on hover and focus. */
  reason?: string | null;
}

/** A status as an icon and a word; the color only reinforces them. */
export function StatusBadge({ label, tone, icon, reason }: StatusBadgeProps) {
  const Icon = STATUS_ICONS[icon];
  const badge = (
    <span
      className={styles.root}
      data-tone={tone}
      {...(reason ? { role: 'note', 'aria-label': `${label}: ${reason}` } : {})}
    >
      <Icon size={13} stroke={2.2} aria-hidden />
      {label}
    </span>
  );
  return reason ? <Tooltip label={reason}>{badge}</Tooltip> : badge;
}

interface ToneBadgeProps {
  tone: Tone;
  children: string;
}

/** A badge for labels that are not statuses, such as "Default", "Test", and "Operator". */
export function ToneBadge({ tone, children }: ToneBadgeProps) {
  return (
    <span className={styles.root} data-tone={tone}>
      {children}
    </span>
  );
}
