import { listPriceChanges, type PriceChange } from '@parley/contract/admin/prices.ts';
import { useState } from 'react';
import { useEndpoint } from '../../kernel/http/query.ts';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { Money } from '../../ui/data/Money.tsx';
import { Pagination } from '../../ui/data/Pagination.tsx';
import { type Column, DataTable } from '../../ui/data/table/DataTable.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import { FormProblem } from '../../ui/form/FormParts.tsx';
import { SidePanel } from '../../ui/layout/SidePanel.tsx';
import styles from '../Admin.module.css';
import { priceName, userName } from './price_words.ts';

const FIRST_SIZE = 20;

const amount = (micros: number | null, { currency }: PriceChange) =>
  micros === null ? 'none' : <Money micros={micros} currency={currency} exact />;

const COLUMNS: Column<PriceChange>[] = [
  {
    key: 'destination',
    title: 'Destination',
    fixed: true,
    width: '100%',
    render: (row) => (
      <span className={styles.stack}>
        <span className={styles.name}>{priceName(row)}</span>
        <span className={styles.under}>
          {userName(row.user_name)} · <DateTime value={row.create_date} />
          {row.filename && ` · ${row.filename}`}
        </span>
      </span>
    ),
  },
  { key: 'before', title: 'Before', align: 'end', fixed: true, render: (row) => amount(row.before_micros, row) },
  { key: 'after', title: 'After', align: 'end', fixed: true, render: (row) => amount(row.after_micros, row) },
];

export function PriceHistory({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <SidePanel open={open} onClose={onClose} title="Price history" description="Changes to list prices, newest first.">
      {open && <Changes />}
    </SidePanel>
  );
}

function Changes() {
  const [page, setPage] = useState(1);
  const [size, setSize] = useState(FIRST_SIZE);
  const query = useEndpoint(listPriceChanges, { query: { page, page_size: size } });
  if (!query.data && !query.error) return <SkeletonLines lines={6} />;
  return (
    <>
      <DataTable
        id="price_changes"
        label="Price history"
        grow
        columns={COLUMNS}
        rows={query.data?.data}
        rowKey={(row) => row.id}
        error={query.error ? <FormProblem>{query.error.message}</FormProblem> : null}
        empty={<EmptyState title="No changes yet">Every imported or edited price appears here.</EmptyState>}
      />
      <Pagination
        number={page}
        size={size}
        total={query.data?.pagination.total}
        isMore={query.data?.pagination.total_is_estimate ?? false}
        onPage={setPage}
        onSize={(next) => {
          setSize(next);
          setPage(1);
        }}
      />
    </>
  );
}
