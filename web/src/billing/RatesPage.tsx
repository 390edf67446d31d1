import { Button } from '@mantine/core';
import { exportRates, listRates, type Rate } from '@parley/contract/billing/billing.ts';
import { CHANNELS } from '@parley/contract/channels/names.ts';
import { IconCoins } from '@tabler/icons-react';
import { useState } from 'react';
import { channelLabel } from '../channels/index.ts';
import { callFile, saveFile } from '../kernel/http/client.ts';
import { toastError, useEndpoint } from '../kernel/http/query.ts';
import { ListTable } from '../kernel/list/ListTable.tsx';
import { useList } from '../kernel/list/list.tsx';
import { useReason } from '../kernel/session/session.tsx';
import { Segments } from '../ui/controls/Segments.tsx';
import { ToneBadge } from '../ui/data/StatusBadge.tsx';
import type { Column } from '../ui/data/table/DataTable.tsx';
import { moneyColumn } from '../ui/data/table/money_column.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { countryName } from '../ui/form/countries.ts';
import { BillingLayout } from './BillingLayout.tsx';

const FILTERS = ['channel', 'search'] as const;
/** The API finds countries by their code, and networks by their name. */
const toFilter = ({ search, ...rest }: Record<string, string>) => ({ ...rest, ...(search ? { country: search } : {}) });
const SCOPES = [
  { value: 'all', label: 'All prices' },
  { value: 'own', label: 'Your prices' },
] as const;
type Scope = (typeof SCOPES)[number]['value'];
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
    card: 'corner',
  }),
  {
    key: 'custom',
    title: 'Price list',
    render: (row) => (row.custom ? <ToneBadge tone="ok">Your price</ToneBadge> : 'Standard'),
  },
];
const OWN = { rate_mode: 'ACCOUNT' } as const;
const FACETS = [
  {
    key: 'channel',
    label: 'Channel',
    single: true,
    options: CHANNELS.map((name) => ({ value: name, label: channelLabel(name) })),
  },
];

async function download(format: 'csv' | 'xlsx', query: typeof OWN | undefined): Promise<void> {
  try {
    saveFile(await callFile(exportRates, { query: { format, ...query } }), `rates.${format}`);
  } catch (error) {
    toastError(error);
  }
}

/** True if the account has prices of its own. */
function useHasOwn(): boolean {
  const isAllowed = useReason('INVOICES:view') === null;
  const own = useEndpoint(listRates, { query: { ...OWN, page_size: 10 } }, { enabled: isAllowed });
  return (own.data?.data.length ?? 0) > 0;
}

export default function RatesPage() {
  const [scope, setScope] = useState<Scope>('all');
  const hasOwn = useHasOwn();
  const query = scope === 'own' ? OWN : undefined;
  const list = useList(listRates, { filters: FILTERS, toFilter, subject: 'The rates', ...(query ? { query } : {}) });
  return (
    <BillingLayout
      title="Rates"
      description="The price of a message or SMS segment, by country and network."
      secondary={
        <>
          <Button variant="default" onClick={() => void download('csv', query)}>
            Download CSV
          </Button>
          <Button variant="default" onClick={() => void download('xlsx', query)}>
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
        search="Country code or network"
        facets={FACETS}
        tools={hasOwn && <Segments aria-label="Prices" value={scope} onChange={setScope} data={SCOPES} />}
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
    </BillingLayout>
  );
}
