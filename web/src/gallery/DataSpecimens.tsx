import { Button } from '@mantine/core';
import { ALL_CHANNELS } from '@parley/contract/channels/index.ts';
import { IconMessages } from '@tabler/icons-react';
import { useMemo } from 'react';
import { Chart } from '../ui/data/chart/Chart.tsx';
import { formatNumber } from '../ui/data/format.ts';
import { DataTable } from '../ui/data/table/DataTable.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { ErrorState } from '../ui/feedback/ErrorState.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';
import { COLUMNS } from './columns.tsx';
import styles from './Gallery.module.css';
import { ListSpecimen } from './ListSpecimen.tsx';
import { Specimen } from './Specimen.tsx';
import { campaigns, type SampleCampaign, traffic } from './sample.ts';

export function DataSpecimens() {
  return (
    <>
      <ListSpecimen />
      <TableStateSpecimen />
      <ChartSpecimen />
    </>
  );
}

/** The states of a table: loading, empty, failed, and so long that only the visible rows are rendered. */
function TableStateSpecimen() {
  const long = useMemo(() => campaigns(1000), []);
  const table = {
    columns: COLUMNS.slice(0, 3),
    rowKey: (row: SampleCampaign) => row.id,
    empty: <EmptyState title="No campaigns yet" />,
  };
  return (
    <Specimen title="Table: loading, empty, failed, long">
      <div className={styles.pair}>
        <DataTable {...table} id="g.loading" label="Loading" rows={undefined} skeletonRows={4} grow />
        <DataTable
          {...table}
          id="g.empty"
          label="Empty"
          rows={[]}
          grow
          empty={
            <EmptyState icon={IconMessages} title="No campaigns yet" action={<Button>Create campaign</Button>}>
              A campaign sends one message to everyone in an audience.
            </EmptyState>
          }
        />
        <DataTable
          {...table}
          id="g.failed"
          label="Failed"
          rows={undefined}
          grow
          error={
            <ErrorState title="The campaigns could not be loaded" onRetry={() => toast.info('Trying again')}>
              The server cannot be reached. Check your connection and try again.
            </ErrorState>
          }
        />
        <DataTable {...table} id="g.long" label="Long list" rows={long} onOpen={(row) => toast.info(row.name)} />
      </div>
    </Specimen>
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
