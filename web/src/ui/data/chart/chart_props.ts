import type { ReactNode } from 'react';
import type { ChartRow } from './csv.ts';

export interface ChartSeries {
  key: string;
  label: string;
  /** A CSS variable from tokens.css, such as "var(--sms-mark)". */
  color: string;
}

export interface ChartProps {
  title: string;
  kind: 'line' | 'bar';
  /** Undefined while the rows load. */
  rows: readonly ChartRow[] | undefined;
  x: { key: string; label: string };
  series: readonly ChartSeries[];
  /** Stacks the bars. */
  stacked?: boolean;
  format?: (value: number) => string;
  /** The list of the rows that a value counts. */
  href?: ((row: ChartRow, key: string) => string | undefined) | undefined;
  /** The file name without its extension. */
  file: string;
  empty: ReactNode;
  height?: number;
  /** Chooses what the chart shows; beside its title. */
  control?: ReactNode;
}
