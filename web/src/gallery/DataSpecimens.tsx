import { ALL_CHANNELS } from '@parley/contract/channels/index.ts';
import { Chart } from '../ui/data/chart/Chart.tsx';
import { formatNumber } from '../ui/data/format.ts';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import styles from './Gallery.module.css';
import { BulkSpecimen, ExportSpecimen, ViewsSpecimen } from './ListParts.tsx';
import { ListSpecimen } from './ListSpecimen.tsx';
import { PanelSpecimens } from './PanelSpecimens.tsx';
import { Specimen } from './Specimen.tsx';
import { traffic } from './sample.ts';
import { CardSpecimen, PaginationSpecimen, TableStateSpecimen } from './TableSpecimens.tsx';

export function DataSpecimens() {
  return (
    <>
      <ListSpecimen />
      <ViewsSpecimen />
      <BulkSpecimen />
      <ExportSpecimen />
      <PanelSpecimens />
      <TableStateSpecimen />
      <CardSpecimen />
      <PaginationSpecimen />
      <ChartSpecimen />
    </>
  );
}

const SERIES = ALL_CHANNELS.map(({ name, label }) => {
  const key = name.toLowerCase();
  return { key, label, color: `var(--${key}-mark)` };
});

function ChartSpecimen() {
  const chart = {
    rows: traffic,
    x: { key: 'day', label: 'Day' },
    empty: <EmptyState title="No data for this period" />,
  };
  return (
    <Specimen title="Charts">
      <div className={styles.pair}>
        <Chart {...chart} title="Messages sent by day" kind="line" series={SERIES} file="messages-by-day" />
        <Chart
          {...chart}
          title="Cost by day"
          kind="bar"
          stacked
          series={SERIES.slice(0, 2)}
          format={(value) => `$${formatNumber(value / 100)}`}
          file="cost-by-day"
        />
      </div>
    </Specimen>
  );
}
