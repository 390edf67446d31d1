/** A chart's figures as a table. A default export, because it is loaded when the user asks for it. */
import { Figure } from '../Figure.tsx';
import { DataTable } from '../table/DataTable.tsx';
import type { ChartProps } from './chart_props.ts';
import type { ChartRow } from './csv.ts';

type TableProps = Pick<ChartProps, 'title' | 'x' | 'series' | 'file' | 'empty' | 'href'> & {
  rows: readonly ChartRow[];
  format: (value: number) => string;
};

export default function ChartTable({ title, rows, x, series, format, file, empty, href }: TableProps) {
  return (
    <DataTable
      id={`chart.${file}`}
      label={title}
      rows={rows}
      rowKey={(row) => String(row[x.key])}
      empty={empty}
      columns={[
        { key: x.key, title: x.label, fixed: true, render: (row) => row[x.key] },
        ...series.map((item) => ({
          key: item.key,
          title: item.label,
          align: 'end' as const,
          fixed: true,
          render: (row: ChartRow) => <Figure href={href?.(row, item.key)}>{format(Number(row[item.key] ?? 0))}</Figure>,
        })),
      ]}
    />
  );
}
