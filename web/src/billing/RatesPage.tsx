import { Button } from '@mantine/core';
import { exportRates, listRates, type Rate } from '@parley/contract/billing/rates.ts';
import { IconCoins } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { callFile, saveFile } from '../kernel/http/files.ts';
import { toastError, useEndpoint } from '../kernel/http/query.ts';
import { ListTable } from '../kernel/list/ListTable.tsx';
import { useList } from '../kernel/list/list.tsx';
import { useReason } from '../kernel/session/session.tsx';
import { Segments } from '../ui/controls/Segments.tsx';
import { DateTime } from '../ui/data/DateTime.tsx';
import { Money } from '../ui/data/Money.tsx';
import { PriceStep } from '../ui/data/PriceStep.tsx';
import type { Column } from '../ui/data/table/DataTable.tsx';
import { moneyColumn } from '../ui/data/table/money_column.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { SkeletonLines } from '../ui/feedback/Skeletons.tsx';
import { countryName } from '../ui/form/countries.ts';
import { DateField } from '../ui/form/dates/DateField.tsx';
import styles from './Billing.module.css';
import { BillingLayout } from './BillingLayout.tsx';
import { CHANNEL_FACETS, destinationColumns, listColumn } from './rate_columns.tsx';
import { VolumeCell } from './VolumeCell.tsx';

const FILTERS = ['channel', 'search'] as const;
/** The API finds countries by their code, and networks by their name. */
const toFilter = ({ search, ...rest }: Record<string, string>) => ({ ...rest, ...(search ? { country: search } : {}) });
const SCOPES = [
  { value: 'all', label: 'All prices' },
  { value: 'own', label: 'Your prices' },
] as const;
type Scope = (typeof SCOPES)[number]['value'];
const TABS = [
  { value: 'rates', label: 'Prices' },
  { value: 'numbers', label: 'Numbers' },
  { value: 'changes', label: 'Price changes' },
] as const;
type RatesTab = (typeof TABS)[number]['value'];
const NumberPricesPart = lazy(() => import('./NumberPricesPart.tsx'));
const PriceChangesPart = lazy(() => import('./PriceChangesPart.tsx'));

const COLUMNS: Column<Rate>[] = [
  ...destinationColumns<Rate>(),
  moneyColumn<Rate, string>({
    key: 'price',
    title: 'Price',
    micros: (row) => row.price_micros,
    currency: (row) => row.currency,
    exact: true,
    card: 'corner',
  }),
  {
    key: 'volume',
    title: 'Volume prices',
    render: (row) => <VolumeCell rate={row} />,
  },
  {
    key: 'since',
    title: 'Since',
    render: (row) => (row.since === null ? 'Not recorded' : <DateTime value={row.since} show="date" />),
  },
  {
    key: 'change',
    title: 'Change',
    narrow: false,
    render: (row) =>
      row.since === null ? (
        '–'
      ) : (
        <PriceStep before={row.previous_micros} after={row.price_micros} currency={row.currency} />
      ),
  },
  {
    key: 'next',
    title: 'Announced',
    render: ({ next_date, next_micros, currency }) =>
      next_date === null ? (
        '–'
      ) : (
        <span style={{ whiteSpace: 'nowrap' }}>
          From <DateTime value={next_date} show="date" />:{' '}
          {next_micros === null ? 'removed' : <Money micros={next_micros} currency={currency} exact />}
        </span>
      ),
  },
  listColumn<Rate>(),
];
const isDate = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text);
const OWN = { rate_mode: 'ACCOUNT' } as const;
async function download(format: 'csv' | 'xlsx', query: { rate_mode?: 'ACCOUNT'; date?: string }): Promise<void> {
  const name = query.date ? `rates-${query.date}` : 'rates';
  try {
    saveFile(await callFile(exportRates, { query: { format, ...query } }), `${name}.${format}`);
  } catch (error) {
    toastError(error);
  }
}

/** True if the account has its own prices. */
function useHasOwn(): boolean {
  const isAllowed = useReason('INVOICES:view') === null;
  const own = useEndpoint(listRates, { query: { ...OWN, page_size: 10 } }, { enabled: isAllowed });
  return (own.data?.data.length ?? 0) > 0;
}

/** The open tab. It is in the URL, so that it can be linked to. */
function useTab(): [RatesTab, (tab: RatesTab) => void] {
  const { tab } = useSearch({ strict: false }) as { tab?: string };
  const navigate = useNavigate();
  const open = (next: RatesTab) =>
    void navigate({ to: '.', search: (next === 'rates' ? {} : { tab: next }) as never, resetScroll: false });
  return [TABS.find(({ value }) => value === tab)?.value ?? 'rates', open];
}

export default function RatesPage() {
  const [scope, setScope] = useState<Scope>('all');
  const [tab, setTab] = useTab();
  const [date, setDate] = useState('');
  const query = { ...(scope === 'own' ? OWN : {}), ...(isDate(date) ? { date } : {}) };
  const tabs = <Segments aria-label="Show" value={tab} onChange={setTab} data={TABS} />;
  return (
    <BillingLayout
      title="Rates"
      description="The price of a message or SMS segment, by country and network."
      secondary={
        <>
          <DateField
            aria-label="Prices in force on"
            placeholder="Today’s prices"
            value={date}
            onChange={setDate}
            className={styles.exportDate}
          />
          <Button variant="default" onClick={() => void download('csv', query)}>
            Download CSV
          </Button>
          <Button variant="default" onClick={() => void download('xlsx', query)}>
            Download XLSX
          </Button>
        </>
      }
    >
      {tab === 'rates' ? (
        <RatesPart scope={scope} onScope={setScope} tabs={tabs} />
      ) : (
        <Suspense fallback={<SkeletonLines lines={6} />}>
          {tab === 'numbers' ? <NumberPricesPart tools={tabs} /> : <PriceChangesPart tools={tabs} />}
        </Suspense>
      )}
    </BillingLayout>
  );
}

interface RatesPartProps {
  scope: Scope;
  onScope: (scope: Scope) => void;
  tabs: ReactNode;
}

function RatesPart({ scope, onScope, tabs }: RatesPartProps) {
  const hasOwn = useHasOwn();
  const query = scope === 'own' ? OWN : undefined;
  const list = useList(listRates, { filters: FILTERS, toFilter, subject: 'The rates', ...(query ? { query } : {}) });
  return (
    <ListTable
      list={list}
      id="rates"
      label="Rates"
      noun="rates"
      search="Country code or network"
      facets={CHANNEL_FACETS}
      tools={
        <>
          {tabs}
          {hasOwn && <Segments aria-label="Prices" value={scope} onChange={onScope} data={SCOPES} />}
        </>
      }
      columns={COLUMNS}
      rowKey={(row) => row.id}
      rowName={(row) => countryName(row.country)}
      empty={
        <EmptyState icon={IconCoins} title="No rates yet">
          Contact support if a country is missing.
        </EmptyState>
      }
      emptyFiltered={<EmptyState title="No rates match these filters">Clear a filter.</EmptyState>}
    />
  );
}
