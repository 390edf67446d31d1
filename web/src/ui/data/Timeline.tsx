import type { ReactNode } from 'react';
import { DateTime } from './DateTime.tsx';
import type { TimeInput } from './format.ts';
import type { Tone } from './status.ts';
import styles from './Timeline.module.css';

export interface TimelineEntry {
  key: string;
  title: ReactNode;
  at: TimeInput | null;
  tone?: Tone;
  /** The source of the report, such as "SMPP main, delivery receipt". */
  source?: ReactNode;
  detail?: ReactNode;
}

/** The history of one object, oldest event first. */
export function Timeline({ entries, label }: { entries: readonly TimelineEntry[]; label: string }) {
  return (
    <ol className={styles.root} aria-label={label}>
      {entries.map((entry) => (
        <li key={entry.key} className={styles.entry} data-tone={entry.tone ?? 'off'}>
          <div className={styles.head}>
            <span className={styles.title}>{entry.title}</span>
            <span className={styles.time}>
              <DateTime value={entry.at} />
            </span>
          </div>
          {entry.source && <div className={styles.source}>{entry.source}</div>}
          {entry.detail && <div className={styles.detail}>{entry.detail}</div>}
        </li>
      ))}
    </ol>
  );
}
