import { Button } from '@mantine/core';
import { IconMessages, IconTrash } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { Pagination } from '../ui/data/Pagination.tsx';
import { type Column, DataTable } from '../ui/data/table/DataTable.tsx';
import { moneyColumn } from '../ui/data/table/money_column.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { ErrorState } from '../ui/feedback/ErrorState.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';
import { COLUMNS } from './columns.tsx';
import styles from './Gallery.module.css';
import { Specimen } from './Specimen.tsx';
import { campaigns, type SampleCampaign } from './sample.ts';

const TABLE = {
  columns: COLUMNS.slice(0, 3),
  rowKey: (row: SampleCampaign) => row.id,
  rowName: (row: SampleCampaign) => row.name,
  empty: <EmptyState title="No campaigns yet" />,
};
const FAILED = (
  <ErrorState title="The campaigns could not be loaded" onRetry={() => toast.info('Trying again')}>
    The server cannot be reached. Check your connection and try again.
  </ErrorState>
);

/** The states of a table: loading, empty, failed, short, and so long that only the visible rows are rendered. */
export function TableStateSpecimen() {
  const long = useMemo(() => campaigns(1000), []);
  return (
    <Specimen title="Table: loading, empty, failed, short, long">
      <div className={styles.pair}>
        <DataTable {...TABLE} id="g.loading" label="Loading" rows={undefined} skeletonRows={4} />
        <DataTable
          {...TABLE}
          id="g.empty"
          label="Empty"
          rows={[]}
          empty={
            <EmptyState icon={IconMessages} title="No campaigns yet" action={<Button>Create campaign</Button>}>
              A campaign sends one message to everyone in an audience.
            </EmptyState>
          }
        />
        <DataTable {...TABLE} id="g.failed" label="Failed" rows={undefined} error={FAILED} />
        <div className={styles.longList}>
          <DataTable {...TABLE} id="g.long" label="Long list" rows={long} onOpen={(row) => toast.info(row.name)} />
        </div>
        <DataTable {...TABLE} id="g.short" label="Short list" rows={long.slice(0, 2)} />
        <DataTable {...TABLE} id="g.prices" label="Prices" columns={PRICES} rows={long.slice(0, 5)} />
      </div>
    </Specimen>
  );
}

const SAMPLE_PRICES = [7_500, 1_250_000, 65_130, null, 12_000_000];
const PRICES: Column<SampleCampaign>[] = [
  { key: 'name', title: 'Name', fixed: true, render: (row) => row.name },
  moneyColumn({
    key: 'price',
    title: 'Price',
    micros: (row) => SAMPLE_PRICES[row.recipients % SAMPLE_PRICES.length] ?? null,
    currency: () => 'USD',
    exact: true,
  }),
];

/** A table as narrow as a phone, where rows are cards. */
export function CardSpecimen() {
  const rows = useMemo(() => campaigns(3), []);
  const [sort, setSort] = useState<string | null>('-name');
  const table = { ...TABLE, columns: COLUMNS };
  return (
    <Specimen title="Table: cards on a phone">
      <div className={styles.phones}>
        <DataTable
          {...table}
          id="g.cards"
          label="Cards"
          rows={rows}
          sort={sort}
          onSort={setSort}
          onOpen={(row) => toast.info(row.name)}
          actions={[{ key: 'open', label: 'Open', onSelect: (row) => toast.info(row.name) }]}
          bulk={[{ key: 'delete', label: 'Delete', icon: IconTrash, danger: true, onSelect: (_, clear) => clear() }]}
        />
        <DataTable {...table} id="g.cards.loading" label="Loading cards" rows={undefined} skeletonRows={3} />
        <DataTable {...table} id="g.cards.empty" label="No cards" rows={[]} />
        <DataTable {...table} id="g.cards.failed" label="Failed cards" rows={undefined} error={FAILED} />
      </div>
    </Specimen>
  );
}

/** The states of a list's footer. */
export function PaginationSpecimen() {
  const [counted, setCounted] = useState(false);
  const footer = { size: 10, noun: 'campaigns', onPage: () => {}, onSize: () => {} };
  return (
    <Specimen title="Footer: loading, failed, empty, counted, more than counted, out of date">
      <div className={styles.pair}>
        <Pagination {...footer} number={1} total={undefined} />
        <Pagination {...footer} number={2} total={undefined} isFailed />
        <Pagination {...footer} number={1} total={0} />
        <Pagination {...footer} number={3} total={1204} />
        <Pagination
          {...footer}
          number={2}
          total={counted ? 48_211 : 10_000}
          isMore={!counted}
          hasNext
          onCount={() => setCounted(true)}
        />
        <Pagination {...footer} number={1} total={62} onRetry={() => toast.info('Trying again')} />
      </div>
    </Specimen>
  );
}
