/** The prices of phone numbers. A default export, because it is loaded lazily. */
import { Button } from '@mantine/core';
import { listNumberPlaces, type NumberPlace } from '@parley/contract/numbers/numbers.ts';
import { IconHash } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useEndpoint } from '../kernel/http/query.ts';
import { useReason } from '../kernel/session/session.tsx';
import { BUY_NUMBER } from '../paths.ts';
import { TYPE_LABELS } from '../senders/labels.ts';
import { formatNumber } from '../ui/data/format.ts';
import { type Column, DataTable } from '../ui/data/table/DataTable.tsx';
import { moneyColumn } from '../ui/data/table/money_column.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { ErrorState } from '../ui/feedback/ErrorState.tsx';
import { countryName } from '../ui/form/countries.ts';
import styles from './Billing.module.css';

const amount = (key: 'setup_micros' | 'monthly_micros', title: string) =>
  moneyColumn<NumberPlace, string>({ key, title, micros: (row) => row[key], currency: (row) => row.currency });

const COLUMNS: Column<NumberPlace>[] = [
  { key: 'country', title: 'Country', fixed: true, card: 'title', render: (row) => countryName(row.country) },
  { key: 'type', title: 'Type', render: (row) => TYPE_LABELS[row.type] },
  { ...amount('monthly_micros', 'Per month'), card: 'corner' },
  amount('setup_micros', 'Setup'),
  { key: 'count', title: 'Available', align: 'end', render: (row) => formatNumber(row.count) },
];

export default function NumberPricesPart({ tools }: { tools: ReactNode }) {
  const reason = useReason(listNumberPlaces);
  const query = useEndpoint(listNumberPlaces, {}, { enabled: reason === null });
  return (
    <section className={styles.part} aria-label="Number prices">
      <div className={styles.partHead}>{tools}</div>
      {reason !== null ? (
        <p className={styles.dim}>{reason}</p>
      ) : (
        <DataTable
          id="number_prices"
          label="Number prices"
          columns={COLUMNS}
          rows={query.data?.data}
          rowKey={(row) => `${row.country} ${row.type}`}
          rowName={(row) => `${TYPE_LABELS[row.type]}, ${countryName(row.country)}`}
          fetching={query.isFetching}
          error={
            query.error && !query.data ? (
              <ErrorState
                title="The number prices could not be loaded"
                onRetry={() => void query.refetch()}
                retrying={query.isFetching}
              >
                {query.error.message}
              </ErrorState>
            ) : null
          }
          empty={
            <EmptyState
              icon={IconHash}
              title="No numbers available"
              action={
                <Button component={Link} to={BUY_NUMBER} variant="default">
                  Search numbers
                </Button>
              }
            >
              No phone numbers are for sale at the moment.
            </EmptyState>
          }
        />
      )}
    </section>
  );
}
