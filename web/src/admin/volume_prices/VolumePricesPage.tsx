/** Prices that fall with the volume of a calendar month: the current, planned, and past steps of each destination. */
import { Button } from '@mantine/core';
import {
  listVolumePrices,
  removeVolumePrice,
  saveVolumePrice,
  VOLUME_STATES,
  type VolumePrice,
} from '@parley/contract/admin/volume_prices.ts';
import { CHANNELS } from '@parley/contract/channels/names.ts';
import { IconPencil, IconPlus, IconStairsDown, IconTrash } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { monthLabel } from '../../billing/statements.ts';
import { VolumeSteps } from '../../billing/VolumeSteps.tsx';
import { channelLabel } from '../../channels/index.ts';
import { useAction } from '../../kernel/http/query.ts';
import { ListTable } from '../../kernel/list/ListTable.tsx';
import { useList } from '../../kernel/list/list.tsx';
import { usePanel } from '../../kernel/list/panel.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import { useReason } from '../../kernel/session/session.tsx';
import { accountPath } from '../../paths.ts';
import { Money } from '../../ui/data/Money.tsx';
import { ToneBadge } from '../../ui/data/StatusBadge.tsx';
import type { Column, RowAction } from '../../ui/data/table/DataTable.tsx';
import { confirm } from '../../ui/feedback/Confirm.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import styles from '../Admin.module.css';
import { PriceTabs } from '../PriceTabs.tsx';
import { priceName } from '../price_list/price_words.ts';
import { VolumePanel } from './VolumePanel.tsx';

const WORDS = {
  current: { label: 'In force', tone: 'ok' },
  planned: { label: 'Planned', tone: 'wait' },
  past: { label: 'Ended', tone: 'off' },
} as const;

const FILTERS = ['state', 'channel'] as const;
const FACETS = [
  {
    key: 'state',
    label: 'Status',
    single: true,
    options: VOLUME_STATES.map((value) => ({ value, label: WORDS[value].label })),
  },
  {
    key: 'channel',
    label: 'Channel',
    single: true,
    options: CHANNELS.map((value) => ({ value, label: channelLabel(value) })),
  },
];

const COLUMNS: Column<VolumePrice>[] = [
  { key: 'destination', title: 'Destination', fixed: true, width: '100%', card: 'title', render: priceName },
  {
    key: 'account',
    title: 'Account',
    card: 'subtitle',
    render: ({ account_id, company_name }) =>
      account_id === null ? (
        <span className={styles.oneLine}>All accounts</span>
      ) : (
        <Link to={accountPath(account_id)}>{company_name}</Link>
      ),
  },
  {
    key: 'state',
    title: 'Status',
    fixed: true,
    card: 'corner',
    render: ({ state, steps }) => (
      <ToneBadge tone={steps.length === 0 ? 'off' : WORDS[state].tone}>
        {steps.length === 0 && state === 'current' ? 'Ended' : WORDS[state].label}
      </ToneBadge>
    ),
  },
  {
    key: 'month',
    title: 'From',
    fixed: true,
    render: (row) => <span className={styles.oneLine}>{monthLabel(row.month)}</span>,
  },
  {
    key: 'price',
    title: 'Price',
    align: 'end',
    render: ({ price_micros, currency }) =>
      price_micros === null ? 'None' : <Money micros={price_micros} currency={currency} exact />,
  },
  {
    key: 'steps',
    title: 'Volume prices',
    render: ({ steps, currency }) => <VolumeSteps steps={steps} currency={currency} />,
  },
  {
    key: 'user',
    title: 'Set by',
    narrow: false,
    render: (row) => <bdi className={styles.oneLine}>{row.user_name}</bdi>,
  },
];

function useVolumeActions(onChange: (row: VolumePrice) => void): RowAction<VolumePrice>[] {
  const reason = useReason(saveVolumePrice.needs);
  const remove = useAction(removeVolumePrice, { onSuccess: () => toast.success('The planned steps were removed') });
  const start = async (row: VolumePrice) => {
    const confirmed = await confirm({
      title: `Remove the volume prices of ${priceName(row)} from ${monthLabel(row.month)}?`,
      consequence: 'The steps before that month stay in force.',
      action: 'Remove volume prices',
    });
    if (confirmed) remove.mutate({ params: { id: row.id } });
  };
  return [
    { key: 'change', label: 'Change', icon: IconPencil, reason: () => reason, onSelect: onChange },
    {
      key: 'remove',
      label: 'Remove',
      icon: IconTrash,
      danger: true,
      reason: ({ state }) => reason ?? (state === 'planned' ? null : 'Only planned steps can be removed'),
      onSelect: (row) => void start(row),
    },
  ];
}

export default function VolumePricesPage() {
  const panel = usePanel();
  const list = useList(listVolumePrices, { filters: FILTERS, subject: 'The volume prices' });
  const actions = useVolumeActions((row) => panel.open(row.id));
  const changed = list.rows?.find(({ id }) => id === panel.id) ?? null;
  const add = (
    <Allow needs={saveVolumePrice.needs}>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => panel.open('add')}>
        Add volume prices
      </Button>
    </Allow>
  );
  return (
    <>
      <PageHeader
        title="Volume prices"
        description="Lower prices for accounts that send many messages in a calendar month (UTC)."
        action={add}
      >
        <PriceTabs open="volume" />
      </PageHeader>
      <ListTable
        id="volume_prices"
        label="Volume prices"
        noun="volume prices"
        list={list}
        facets={FACETS}
        columns={COLUMNS}
        rowKey={(row) => row.id}
        rowName={priceName}
        onOpen={(row) => panel.open(row.id)}
        openKey={panel.id}
        actions={actions}
        empty={
          <EmptyState icon={IconStairsDown} title="No volume prices yet">
            Customers pay the list price for every message.
          </EmptyState>
        }
        emptyFiltered={<EmptyState title="No volume prices match these filters">Clear a filter.</EmptyState>}
      />
      <VolumePanel open={panel.id === 'add' || changed !== null} price={changed} onClose={panel.close} />
    </>
  );
}
