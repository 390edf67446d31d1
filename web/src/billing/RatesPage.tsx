import { Button } from '@mantine/core';
import { exportRates, listRates, type Rate } from '@parley/contract/billing/billing.ts';
import { CHANNELS } from '@parley/contract/channels/names.ts';
import { IconCoins } from '@tabler/icons-react';
import { channelLabel } from '../channels/index.ts';
import { callFile, saveFile } from '../kernel/http/client.ts';
import { toastError } from '../kernel/http/query.ts';
import { ListTable } from '../kernel/list/ListTable.tsx';
import { useList } from '../kernel/list/list.tsx';
import { ToneBadge } from '../ui/data/StatusBadge.tsx';
import type { Column } from '../ui/data/table/DataTable.tsx';
import { moneyColumn } from '../ui/data/table/money_column.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { countryName } from '../ui/form/countries.ts';
import { BillingLayout } from './BillingLayout.tsx';

const FILTERS = ['channel', 'country'] as const;
const purposeLabel = (purpose: string): string => purpose.charAt(0).toUpperCase() + purpose.slice(1);

const COLUMNS: Column<Rate>[] = [
  { key: 'country', title: 'Country', fixed: true, card: 'title', render: (row) => countryName(row.country) },
  { key: 'channel', title: 'Channel', render: (row) => channelLabel(row.channel) },
  { key: 'network', title: 'Network', render: (row) => row.network ?? row.mccmnc ?? 'All networks' },
  {
    key: 'purpose',
    title: 'Purpose',
    narrow: false,
    render: (row) => (row.purpose === null ? 'All' : purposeLabel(row.purpose)),
  },
  moneyColumn<Rate, string>({
    key: 'price',
    title: 'Price',
    micros: (row) => row.price_micros,
    currency: (row) => row.currency,
    exact: true,
  }),
  {
    key: 'custom',
    title: 'Price list',
    card: 'corner',
    render: (row) => (row.custom ? <ToneBadge tone="ok">Your price</ToneBadge> : 'Standard'),
  },
];
const FACETS = [
  {
    key: 'channel',
    label: 'Channel',
    single: true,
    options: CHANNELS.map((name) => ({ value: name, label: channelLabel(name) })),
  },
];

async function download(format: 'csv' | 'xlsx'): Promise<void> {
  try {
    saveFile(await callFile(exportRates, { query: { format } }), `rates.${format}`);
  } catch (error) {
    toastError(error);
  }
}

export default function RatesPage() {
  const list = useList(listRates, {
    filters: FILTERS,
    subject: 'The rates',
  });
  return (
    <BillingLayout
      title="Rates"
      description="The price of a message or SMS segment, by country and network."
      secondary={
        <>
          <Button variant="default" onClick={() => void download('csv')}>
            Download CSV
          </Button>
          <Button variant="default" onClick={() => void download('xlsx')}>
            Download XLSX
          </Button>
        </>
      }
    >
      <ListTable
        list={list}
        id="rates"
        label="Rates"
        noun="rates"
        facets={FACETS}
        columns={COLUMNS}
        rowKey={(row) => row.id}
        rowName={(row) => countryName(row.country)}
        empty={
          <EmptyState icon={IconCoins} title="No rates yet">
            Contact support if you miss a country.
          </EmptyState>
        }
        emptyFiltered={<EmptyState title="No rates match these filters">Clear a filter.</EmptyState>}
      />
    </BillingLayout>
  );
}
