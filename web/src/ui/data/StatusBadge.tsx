import { Tooltip } from '@mantine/core';
import styles from './StatusBadge.module.css';
import { type StatusStyle, statusStyle, type Tone } from './status.ts';

export interface StatusBadgeProps {
  status: string;
  /** Another dictionary of words, such as SENDER_REQUEST. */
  words?: Readonly<Record<string, StatusStyle>>;
  /** Why: shown on hover and focus. */
  reason?: string | null;
}

/** A status as icon and word; the colour only repeats what they say. */
export function StatusBadge({ status, words, reason }: StatusBadgeProps) {
  const { label, tone, icon: Icon } = statusStyle(status, words);
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

export interface ToneBadgeProps {
  tone: Tone;
  children: string;
}

/** For words that are no status: "Default", "Test", "Operator". */
export function ToneBadge({ tone, children }: ToneBadgeProps) {
  return (
    <span className={styles.root} data-tone={tone}>
      {children}
    </span>
  );
}
