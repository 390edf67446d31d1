import { formatNumber } from '../format.ts';
import styles from './Sparkline.module.css';

interface SparklineProps {
  /** The values at regular intervals, oldest first. */
  values: readonly number[];
  /** The period, for screen readers: "Last hour". */
  period: string;
}

const WIDTH = 96;
const HEIGHT = 24;
/** Keeps the line inside the drawing. */
const MARGIN = 2;

/** A small line that shows how a figure has developed. Hidden until there are two values. */
export function Sparkline({ values, period }: SparklineProps) {
  if (values.length < 2) return null;
  const low = Math.min(...values);
  const high = Math.max(...values);
  const range = low === high ? `always ${formatNumber(low)}` : `${formatNumber(low)} to ${formatNumber(high)}`;
  const points = drawLine(values, low, high);
  const [lastX, lastY] = points.at(-1)!;
  return (
    <svg className={styles.root} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`${period}: ${range}`}>
      <polyline className={styles.line} points={points.map((point) => point.join(',')).join(' ')} />
      <circle className={styles.end} cx={lastX} cy={lastY} r={MARGIN} />
    </svg>
  );
}

/** The points of the line. A figure that never changes is a line at the bottom. */
export function drawLine(values: readonly number[], low: number, high: number): [number, number][] {
  const step = (WIDTH - 2 * MARGIN) / (values.length - 1);
  const scale = high === low ? 0 : (HEIGHT - 2 * MARGIN) / (high - low);
  const round = (value: number) => Math.round(value * 10) / 10;
  return values.map((value, index) => [round(MARGIN + index * step), round(HEIGHT - MARGIN - (value - low) * scale)]);
}
