/** The only file that imports the chart library. A default export, because it is loaded lazily. */
import { BarChart, LineChart } from '@mantine/charts';
import type { ChartProps } from './chart_props.ts';
import type { ChartRow } from './csv.ts';
import '@mantine/charts/styles.layer.css';

type CanvasProps = Omit<ChartProps, 'rows'> & {
  rows: readonly ChartRow[];
  format: (value: number) => string;
  height: number;
};

export default function ChartCanvas({ kind, rows, x, series, stacked, format, height }: CanvasProps) {
  const shared = {
    h: height,
    data: rows.map((row) => ({ ...row })),
    dataKey: x.key,
    series: series.map((item) => ({ name: item.key, label: item.label, color: item.color })),
    valueFormatter: format,
    gridAxis: 'x' as const,
    tickLine: 'none' as const,
    withLegend: false,
    gridColor: 'var(--line)',
    textColor: 'var(--ink-dim)',
    strokeDasharray: '0',
    yAxisProps: { width: 52 },
    xAxisProps: { minTickGap: 24 },
  };
  if (kind === 'line')
    return (
      <LineChart {...shared} curveType="monotone" strokeWidth={2} withDots={rows.length <= 31} dotProps={{ r: 3 }} />
    );
  return <BarChart {...shared} type={stacked ? 'stacked' : 'default'} maxBarWidth={28} />;
}
