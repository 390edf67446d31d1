/** The list prices for messages: import, export, single changes, and the history of all changes. */
import { Button } from '@mantine/core';
import {
  createPrice,
  createPriceImport,
  exportPrices,
  type ListPrice,
  listPrices,
  removePrice,
  updatePrice,
} from '@parley/contract/admin/prices.ts';
import { CHANNELS } from '@parley/contract/channels/names.ts';
import { CURRENCIES } from '@parley/contract/common.ts';
import { IconCoins, IconDownload, IconHistory, IconPencil, IconPlus, IconTrash, IconUpload } from '@tabler/icons-react';
import { useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { purposeLabel } from '../../billing/rate_columns.tsx';
import { channelLabel } from '../../channels/index.ts';
import { callFile, saveFile } from '../../kernel/http/files.ts';
import { toastError, useAction } from '../../kernel/http/query.ts';
import { ListTable } from '../../kernel/list/ListTable.tsx';
import { useList } from '../../kernel/list/list.tsx';
import { usePanel } from '../../kernel/list/panel.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import { useReason } from '../../kernel/session/session.tsx';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { PriceStep } from '../../ui/data/PriceStep.tsx';
import type { Column, RowAction } from '../../ui/data/table/DataTable.tsx';
import { moneyColumn } from '../../ui/data/table/money_column.tsx';
import { confirm } from '../../ui/feedback/Confirm.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { countryName } from '../../ui/form/countries.ts';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import styles from '../Admin.module.css';
import { PriceTabs } from '../PriceTabs.tsx';
import { ImportPanel } from './ImportPanel.tsx';
import { PriceHistory } from './PriceHistory.tsx';
import { PricePanel } from './PricePanel.tsx';
import { priceName, priceNetwork, userName } from './price_words.ts';

const FILTERS = ['search', 'channel', 'currency'] as const;
const FACETS = [
  {
    key: 'channel',
    label: 'Channel',
    single: true,
    options: CHANNELS.map((value) => ({ value, label: channelLabel(value) })),
  },
  { key: 'currency', label: 'Currency', single: true, options: CURRENCIES.map((value) => ({ value, label: value })) },
];

const COLUMNS: Column<ListPrice>[] = [
  { key: 'country', title: 'Country', fixed: true, render: (row) => countryName(row.country) },
  { key: 'channel', title: 'Channel', card: 'subtitle', render: (row) => channelLabel(row.channel) },
  { key: 'network', title: 'Network', narrow: false, render: (row) => priceNetwork(row) },
  { key: 'purpose', title: 'Purpose', narrow: false, render: (row) => purposeLabel(row.purpose) },
  moneyColumn({
    key: 'price',
    title: 'Price',
    card: 'corner',
    fixed: true,
    exact: true,
    micros: (row) => row.price_micros,
    currency: (row) => row.currency,
  }),
  {
    key: 'since',
    title: 'Since',
    render: (row) => <Since price={row} />,
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
];

function Since({ price: { since, user_name } }: { price: ListPrice }) {
  if (since === null) return 'Not recorded';
  return (
    <span className={styles.stack}>
      <DateTime value={since} show="date" />
      <span className={styles.under}>{userName(user_name)}</span>
    </span>
  );
}

function usePriceActions(onEdit: (row: ListPrice) => void): RowAction<ListPrice>[] {
  const reason = useReason(updatePrice.needs);
  const remove = useAction(removePrice, { onSuccess: () => toast.success('The price was removed') });
  const start = async (row: ListPrice) => {
    const confirmed = await confirm({
      title: `Remove the price for ${priceName(row)}?`,
      consequence:
        'New messages use the next matching price, such as the one for all networks in the country. ' +
        'If no price matches, they are refused.',
      action: 'Remove price',
    });
    if (confirmed) remove.mutate({ params: { id: row.id } });
  };
  return [
    { key: 'edit', label: 'Edit', icon: IconPencil, reason: () => reason, onSelect: onEdit },
    {
      key: 'remove',
      label: 'Remove',
      icon: IconTrash,
      danger: true,
      reason: () => reason,
      onSelect: (row) => void start(row),
    },
  ];
}

/** The other tabs. They are loaded here, so that they cost nothing before this page is open. */
const TABS = {
  planned: lazy(() => import('../price_plans/PricePlansPage.tsx')),
  volume: lazy(() => import('../volume_prices/VolumePricesPage.tsx')),
  margins: lazy(() => import('../margins/MarginsPage.tsx')),
  carriers: lazy(() => import('../carrier_statements/CarrierStatementsPage.tsx')),
};

export default function PriceListPage() {
  const { tab } = useSearch({ strict: false }) as { tab?: string };
  const Tab = tab && Object.hasOwn(TABS, tab) ? TABS[tab as keyof typeof TABS] : null;
  if (!Tab) return <PriceList />;
  return (
    <Suspense fallback={<SkeletonLines lines={8} />}>
      <Tab />
    </Suspense>
  );
}

function PriceList() {
  const panel = usePanel();
  const list = useList(listPrices, { filters: FILTERS, subject: 'The prices' });
  const actions = usePriceActions((row) => panel.open(row.id));
  const edited = list.rows?.find(({ id }) => id === panel.id) ?? null;
  const importButton = (
    <Allow needs={createPriceImport.needs}>
      <Button leftSection={<IconUpload size={16} aria-hidden />} onClick={() => panel.open('import')}>
        Import price list
      </Button>
    </Allow>
  );
  return (
    <>
      <PageHeader
        title="Prices"
        description="What customers pay per SMS segment, or per message on other channels."
        secondary={
          <Allow needs={createPrice.needs}>
            <Button
              variant="default"
              leftSection={<IconPlus size={16} aria-hidden />}
              onClick={() => panel.open('add')}
            >
              Add price
            </Button>
          </Allow>
        }
        action={importButton}
      >
        <PriceTabs open="list" />
      </PageHeader>
      <ListTable
        id="prices"
        label="Prices"
        noun="prices"
        list={list}
        search="Country code or network"
        facets={FACETS}
        tools={<Tools onHistory={() => panel.open('history')} />}
        columns={COLUMNS}
        rowKey={(row) => row.id}
        rowName={priceName}
        onOpen={(row) => panel.open(row.id)}
        openKey={panel.id}
        actions={actions}
        empty={
          <EmptyState icon={IconCoins} title="No prices yet" action={importButton}>
            Messages to a country without a price are refused. Import a price list to start.
          </EmptyState>
        }
      />
      <ImportPanel open={panel.id === 'import'} onClose={panel.close} />
      <PricePanel open={panel.id === 'add' || edited !== null} price={edited} onClose={panel.close} />
      <PriceHistory open={panel.id === 'history'} onClose={panel.close} />
    </>
  );
}

function Tools({ onHistory }: { onHistory: () => void }) {
  const [busy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      saveFile(await callFile(exportPrices, { query: {} }), `prices-${new Date().toISOString().slice(0, 10)}.csv`);
    } catch (error) {
      toastError(error);
    }
    setBusy(false);
  };
  return (
    <>
      <Button variant="default" leftSection={<IconHistory size={15} aria-hidden />} onClick={onHistory}>
        View history
      </Button>
      <Button
        variant="default"
        leftSection={<IconDownload size={15} aria-hidden />}
        loading={busy}
        onClick={() => void save()}
      >
        Export CSV
      </Button>
    </>
  );
}
