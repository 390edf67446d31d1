/**
 * A chart that answers the question in its title, with direct labels and the same figures as a table and as a CSV file.
 * The table loads when the user asks for it. A chart draws at most 400 points; if there are more, the server must
 * aggregate them.
 */
import { ActionIcon } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { Segments } from '../../controls/Segments.tsx';
import { lazyPart } from '../../feedback/lazy_part.ts';
import { Skeleton } from '../../feedback/Skeletons.tsx';
import { Tooltip } from '../../feedback/Tooltip.tsx';
import { formatNumber } from '../format.ts';
import styles from './Chart.module.css';
import { ChartCanvas } from './ChartCanvas.tsx';
import type { ChartProps } from './chart_props.ts';
import { saveText, toCsv } from './csv.ts';

const ChartTable = lazyPart(() => import('./ChartTable.tsx'));

export function Chart(props: ChartProps) {
  const { title, rows, x, series, format = formatNumber, file, empty, height = 240, control } = props;
  const [view, setView] = useState('chart');
  const isEmpty = rows?.every((row) => series.every(({ key }) => !row[key]));
  return (
    <section className={styles.root} aria-label={title}>
      <header className={styles.header}>
        <div className={styles.words}>
          <h2 className={styles.title}>{title}</h2>
          <ul className={styles.legend} aria-label="Series">
            {series.map((item) => (
              <li key={item.key}>
                <span className={styles.swatch} style={{ background: item.color }} aria-hidden />
                {item.label}
              </li>
            ))}
          </ul>
        </div>
        <div className={styles.tools}>
          {control}
          <Segments
            aria-label={`Show ${title} as`}
            value={view}
            onChange={setView}
            data={[
              { value: 'chart', label: 'Chart' },
              { value: 'table', label: 'Table' },
            ]}
          />
        </div>
        <Tooltip label="Save as CSV">
          <ActionIcon
            className={styles.save}
            aria-label={`Save ${title} as CSV`}
            disabled={!rows || rows.length === 0}
            onClick={() => rows && saveText(`${file}.csv`, toCsv([x, ...series], rows))}
          >
            <IconDownload size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </header>
      <div className={styles.body} style={{ minHeight: height }}>
        {rows === undefined ? (
          <Skeleton height={height} />
        ) : isEmpty ? (
          <div className={styles.empty}>{empty}</div>
        ) : view === 'chart' ? (
          <ChartCanvas {...props} rows={rows} format={format} height={height} />
        ) : (
          <Suspense fallback={<Skeleton height={height} />}>
            <ChartTable {...props} rows={rows} format={format} />
          </Suspense>
        )}
      </div>
    </section>
  );
}
