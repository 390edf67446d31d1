import type { ReactNode } from 'react';
import { Skeleton } from '../feedback/Skeletons.tsx';
import styles from './StatChips.module.css';
import type { Tone } from './status.ts';

export interface Stat {
  key: string;
  label: string;
  /** Undefined while it loads. */
  value: ReactNode | undefined;
  tone?: Tone;
  /** A secondary figure, such as a share. */
  note?: ReactNode;
  onClick?: () => void;
}

/** Counts side by side: a figure, its label, and a colored dot that reinforces the label. */
export function StatChips({ stats, label }: { stats: readonly Stat[]; label: string }) {
  return (
    <dl className={styles.root} aria-label={label}>
      {stats.map(({ key, label: name, value, tone, note, onClick }) => (
        <div key={key} className={styles.chip} data-click={onClick ? true : undefined}>
          <dt className={styles.name}>
            {tone && <span className={styles.dot} data-tone={tone} aria-hidden />}
            {onClick ? (
              <button type="button" className={styles.button} onClick={onClick}>
                {name}
              </button>
            ) : (
              name
            )}
          </dt>
          <dd className={styles.value}>
            {value === undefined ? <Skeleton width={48} height={16} /> : value}
            {note && <span className={styles.note}>{note}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
