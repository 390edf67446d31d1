/** The number inventory: the numbers that operators offer for rent, who rents them, and what they cost. */

import { Button } from '@mantine/core';
import type { SortName } from '@parley/contract/endpoint.ts';
import {
  addInventory,
  type InventoryNumber,
  listInventory,
  NUMBER_STATUS,
  retireNumber,
} from '@parley/contract/numbers/numbers.ts';
import { IconArchive, IconHash, IconPlus, IconRestore } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useAction } from '../../kernel/http/query.ts';
import { ListTable } from '../../kernel/list/ListTable.tsx';
import { useList } from '../../kernel/list/list.tsx';
import { usePanel } from '../../kernel/list/panel.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import { useReason } from '../../kernel/session/session.tsx';
import { accountPath } from '../../paths.ts';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { PhoneNumber } from '../../ui/data/PhoneNumber.tsx';
import { StatusBadge } from '../../ui/data/StatusBadge.tsx';
import type { Column, RowAction } from '../../ui/data/table/DataTable.tsx';
import { confirm } from '../../ui/feedback/Confirm.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { countryName } from '../../ui/form/countries.ts';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { AddNumbersPanel } from './AddNumbersPanel.tsx';
import { NUMBER_TYPE_WORDS, NUMBER_TYPES } from './number_words.ts';
import { PricesPanel } from './PricesPanel.tsx';

const FILTERS = ['search', 'statuses', 'types'] as const;
const FACETS = [
  {
    key: 'statuses',
    label: 'Status',
    options: Object.entries(NUMBER_STATUS).map(([value, { label }]) => ({ value, label })),
  },
  { key: 'types', label: 'Type', options: NUMBER_TYPES },
];

const COLUMNS: Column<InventoryNumber, SortName<typeof listInventory>>[] = [
  { key: 'number', title: 'Number', sort: 'number', fixed: true, render: (row) => <PhoneNumber value={row.number} /> },
  {
    key: 'status',
    title: 'Status',
    sort: 'status',
    card: 'corner',
    fixed: true,
    render: (row) => <StatusBadge {...NUMBER_STATUS[row.status]} />,
  },
  { key: 'type', title: 'Type', sort: 'type', narrow: false, render: (row) => NUMBER_TYPE_WORDS[row.type] },
  {
    key: 'place',
    title: 'Location',
    sort: 'country',
    card: 'subtitle',
    narrow: false,
    render: (row) => [row.city, countryName(row.country)].filter(Boolean).join(', '),
  },
  { key: 'company', title: 'Customer', narrow: false, render: (row) => <Renter number={row} /> },
  {
    key: 'since',
    title: 'Added',
    sort: 'create_date',
    card: 'hidden',
    narrow: false,
    render: (row) => <DateTime value={row.create_date} show="date" />,
  },
];

/** The company that rents the number, or the day from which it can be rented again. */
function Renter({ number: { account_id, company_name, free_date } }: { number: InventoryNumber }) {
  if (account_id) return <Link to={accountPath(account_id)}>{company_name}</Link>;
  if (!free_date) return '–';
  return (
    <>
      available on <DateTime value={free_date} show="date" />
    </>
  );
}

function useInventoryActions(): RowAction<InventoryNumber>[] {
  const reason = useReason(retireNumber.needs);
  const retire = useAction(retireNumber, {
    onSuccess: ({ data }) =>
      toast.success(data.status === 'retired' ? 'The number was retired' : 'The number was restored'),
  });
  const change = async ({ number }: InventoryNumber, retired: boolean) => {
    const confirmed =
      !retired ||
      (await confirm({
        title: `Retire +${number}?`,
        consequence: 'Customers will no longer be able to buy it. You can restore it at any time.',
        action: 'Retire number',
      }));
    if (confirmed) retire.mutate({ params: { number }, body: { retired } });
  };
  return [
    {
      key: 'retire',
      label: 'Retire',
      icon: IconArchive,
      danger: true,
      isOffered: (row) => row.status !== 'retired',
      reason: (row) => reason ?? (row.status === 'taken' ? 'A customer is renting this number.' : null),
      onSelect: (row) => void change(row, true),
    },
    {
      key: 'restore',
      label: 'Restore',
      icon: IconRestore,
      isOffered: (row) => row.status === 'retired',
      reason: () => reason,
      onSelect: (row) => void change(row, false),
    },
  ];
}

export default function InventoryPage() {
  const panel = usePanel();
  const list = useList(listInventory, { filters: FILTERS, subject: 'The numbers' });
  const actions = useInventoryActions();
  return (
    <>
      <PageHeader
        title="Numbers"
        description="Numbers that customers can rent, their prices, and who rents them."
        action={
          <Allow needs={addInventory.needs}>
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => panel.open('add')}>
              Add numbers
            </Button>
          </Allow>
        }
      />
      <ListTable
        id="inventory"
        label="Numbers"
        noun="numbers"
        list={list}
        search="Digits, city, or company"
        facets={FACETS}
        tools={
          <Button variant="default" onClick={() => panel.open('prices')}>
            View prices
          </Button>
        }
        columns={COLUMNS}
        rowKey={(row) => row.number}
        actions={actions}
        empty={
          <EmptyState icon={IconHash} title="No numbers yet">
            Add the numbers your carriers assigned to you, and set prices so that customers can buy them.
          </EmptyState>
        }
        emptyFiltered={
          <EmptyState icon={IconHash} title="No numbers match these filters">
            Clear a filter to see more numbers.
          </EmptyState>
        }
      />
      <AddNumbersPanel open={panel.id === 'add'} onClose={panel.close} />
      <PricesPanel open={panel.id === 'prices'} onClose={panel.close} />
    </>
  );
}
