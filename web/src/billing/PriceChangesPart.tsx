/** The changes of the account's prices. A default export, because it is loaded lazily. */
import { type AnnouncedRate, listAnnouncedRates } from '@parley/contract/billing/announced_rates.ts';
import { listRateChanges, type RateChange } from '@parley/contract/billing/rate_changes.ts';
import { isCountry } from '@parley/contract/country.ts';
import { IconHistory } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useEndpoint } from '../kernel/http/query.ts';
import { ListTable } from '../kernel/list/ListTable.tsx';
import { useList } from '../kernel/list/list.tsx';
import { useReason } from '../kernel/session/session.tsx';
import { DateTime } from '../ui/data/DateTime.tsx';
import { PriceStep } from '../ui/data/PriceStep.tsx';
import { type Column, DataTable } from '../ui/data/table/DataTable.tsx';
import { moneyColumn } from '../ui/data/table/money_column.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { countryName } from '../ui/form/countries.ts';
import styles from './Billing.module.css';
import { CHANNEL_FACETS, destinationColumns, listColumn } from './rate_columns.tsx';

const FILTERS = ['channel', 'search', 'from', 'to'] as const;
const toFilter = ({ search, ...rest }: Record<string, string>) => {
  if (!search) return rest;
  const code = search.toUpperCase();
  return isCountry(code) ? { ...rest, country: code } : { ...rest, network: search };
};

/** The columns of past and of announced changes, up to the date. */
function changeColumns<T extends RateChange | AnnouncedRate>(dateTitle: string, date: (row: T) => string): Column<T>[] {
  return [
    ...destinationColumns<T>(),
    moneyColumn<T, string>({
      key: 'price',
      title: 'New price',
      micros: (row) => row.after_micros,
      currency: (row) => row.currency,
      exact: true,
      card: 'corner',
    }),
    {
      key: 'change',
      title: 'Change',
      fixed: true,
      render: (row) => <PriceStep before={row.before_micros} after={row.after_micros} currency={row.currency} />,
    },
    { key: 'date', title: dateTitle, fixed: true, render: (row) => <DateTime value={date(row)} /> },
  ];
}

const COLUMNS: Column<RateChange>[] = [
  ...changeColumns<RateChange>('Since', (row) => row.create_date),
  listColumn<RateChange>(),
];
const ANNOUNCED = changeColumns<AnnouncedRate>('From', (row) => row.effective_date);

export default function PriceChangesPart({ tools }: { tools: ReactNode }) {
  const list = useList(listRateChanges, { filters: FILTERS, toFilter, subject: 'The price changes' });
  return (
    <>
      <AnnouncedRates />
      <ListTable
        list={list}
        id="rate_changes"
        label="Price changes"
        noun="changes"
        search="Country code or network"
        facets={CHANNEL_FACETS}
        dates={{ label: 'Date', from: 'from', to: 'to' }}
        tools={tools}
        columns={COLUMNS}
        rowKey={(row) => row.id}
        rowName={(row) => countryName(row.country)}
        empty={
          <EmptyState icon={IconHistory} title="No price changes yet">
            Changes to your prices appear here.
          </EmptyState>
        }
        emptyFiltered={<EmptyState title="No price changes match these filters">Clear a filter.</EmptyState>}
      />
    </>
  );
}

/** Changes that take effect later. Nothing is shown if there are none. */
function AnnouncedRates() {
  const isAllowed = useReason(listAnnouncedRates.needs) === null;
  const rows = useEndpoint(listAnnouncedRates, { query: {} }, { enabled: isAllowed }).data?.data ?? [];
  if (rows.length === 0) return null;
  return (
    <section className={styles.announced} aria-label="Announced price changes">
      <h2>Announced price changes</h2>
      <DataTable
        id="announced_rates"
        label="Announced price changes"
        columns={ANNOUNCED}
        rows={rows}
        rowKey={(row) => row.id}
        empty={null}
      />
    </section>
  );
}
