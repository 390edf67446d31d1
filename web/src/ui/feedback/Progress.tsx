import { VisuallyHidden } from '@mantine/core';
import { formatDuration, formatNumber, formatPercent } from '../data/format.ts';
import type { Tone } from '../data/status.ts';
import styles from './Progress.module.css';

interface ProgressPart {
  key: string;
  label: string;
  value: number;
  tone: Tone;
}

interface ProgressProps {
  /** The accessible name, such as "Import of customers.csv". */
  label: string;
  done: number;
  total: number;
  /** The parts that make up `done`, drawn as segments of the bar. */
  parts?: readonly ProgressPart[];
  /** Items per second. */
  rate?: number | null;
  seconds_left?: number | null;
  running: boolean;
  /** The figures after the end, if "24 of 24" would hide how they ended: "6 sent, 18 skipped". */
  result?: string;
}

/** A progress bar with its figures. Screen readers announce every 10 percent instead of every change. */
export function Progress({ label, done, total, parts, rate, seconds_left, running, result }: ProgressProps) {
  const share = total === 0 ? 0 : Math.min(1, done / total);
  const drawn = parts ?? [{ key: 'done', label: 'Done', value: done, tone: 'accent' as Tone }];
  return (
    <div>
      <div
        className={styles.bar}
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.floor(share * 100)}
        aria-valuetext={result ?? `${formatNumber(done)} of ${formatNumber(total)}`}
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
          {result ?? (
            <>
              <b>{formatNumber(done)}</b> of {formatNumber(total)} ({formatPercent(done, total)})
            </>
          )}
        </span>
        {running && rate ? <span>{formatNumber(Math.round(rate))} per second</span> : null}
        {running && seconds_left !== null && seconds_left !== undefined ? (
          <span>{formatDuration(seconds_left)} left</span>
        ) : null}
      </p>
      <VisuallyHidden role="status">{running ? `${label}: ${Math.floor(share * 10) * 10} percent` : ''}</VisuallyHidden>
    </div>
  );
}
