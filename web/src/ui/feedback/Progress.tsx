import { formatDuration, formatNumber, formatPercent } from '../data/format.ts';
import type { Tone } from '../data/status.ts';
import styles from './Progress.module.css';

export interface ProgressPart {
  key: string;
  label: string;
  value: number;
  tone: Tone;
}

export interface ProgressProps {
  /** What is going on, for the accessible name: "Import of customers.csv". */
  label: string;
  done: number;
  total: number;
  /** How `done` is made up; drawn as segments of the bar. */
  parts?: readonly ProgressPart[];
  /** Per second. */
  rate?: number | null;
  seconds_left?: number | null;
  running: boolean;
}

/** A bar that moves with live events, with the figures beside it. Screen readers hear each tenth, not each step. */
export function Progress({ label, done, total, parts, rate, seconds_left, running }: ProgressProps) {
  const share = total === 0 ? 0 : Math.min(1, done / total);
  const drawn = parts ?? [{ key: 'done', label: 'Done', value: done, tone: 'accent' as Tone }];
  return (
    <div className={styles.root}>
      <div
        className={styles.bar}
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.floor(share * 100)}
        aria-valuetext={`${formatNumber(done)} of ${formatNumber(total)}`}
        data-running={running || undefined}
      >
        {drawn.map((part) => (
          <span
            key={part.key}
            className={styles.part}
            data-tone={part.tone}
            style={{ width: `${total === 0 ? 0 : Math.min(100, (part.value / total) * 100)}%` }}
          />
        ))}
      </div>
      <p className={styles.figures}>
        <span>
          <b>{formatNumber(done)}</b> of {formatNumber(total)} ({formatPercent(done, total)})
        </span>
        {running && rate ? <span>{formatNumber(Math.round(rate))} per second</span> : null}
        {running && seconds_left !== null && seconds_left !== undefined ? (
          <span>{formatDuration(seconds_left)} left</span>
        ) : null}
      </p>
      <span className={styles.heard} role="status">
        {running ? `${label}: ${Math.floor(share * 10) * 10} percent` : ''}
      </span>
    </div>
  );
}
