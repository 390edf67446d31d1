/** The stock of numbers: what there is, who has it, what it costs. */
import { Button } from '@mantine/core';
import { addInventory, type InventoryNumber, listInventory, retireNumber } from '@parley/contract/numbers/numbers.ts';
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
import { NUMBER_LOOKS, NUMBER_TYPE_WORDS, NUMBER_TYPES } from './number_words.ts';
import { PricesPanel } from './PricesPanel.tsx';

const FILTERS = ['search', 'statuses', 'types'] as const;
const STATES = Object.entries(NUMBER_LOOKS).map(([value, { label }]) => ({ value, label }));

const COLUMNS: Column<InventoryNumber>[] = [
  { key: 'number', title: 'Number', fixed: true, render: (row) => <PhoneNumber value={row.number} /> },
  {
    key: 'status',
    title: 'Status',
    fixed: true,
    render: (row) => <StatusBadge status={row.status} words={NUMBER_LOOKS} />,
  },
  { key: 'type', title: 'Type', narrow: false, render: (row) => NUMBER_TYPE_WORDS[row.type] },
  {
    key: 'place',
    title: 'Place',
    narrow: false,
    render: (row) => [row.city, countryName(row.country)].filter(Boolean).join(', '),
  },
  {
    key: 'company',
    title: 'Who has it',
    narrow: false,
    render: (row) =>
      row.account_id ? (
        <Link to={accountPath(row.account_id)}>{row.company_name}</Link>
      ) : row.free_date ? (
        <>
          free on <DateTime value={row.free_date} show="date" />
        </>
      ) : (
        '–'
      ),
  },
  { key: 'since', title: 'Added', narrow: false, render: (row) => <DateTime value={row.create_date} show="date" /> },
];

export default function InventoryPage() {
  const panel = usePanel();
  const list = useList(listInventory, { filters: FILTERS, subject: 'The numbers' });
  const mayNot = useReason(retireNumber.needs);
  const retire = useAction(retireNumber, {
    onSuccess: ({ data }) =>
      toast.success(data.status === 'retired' ? 'The number is retired' : 'The number is offered again'),
  });
  const change = async (row: InventoryNumber, retired: boolean) => {
    const yes =
      !retired ||
      (await confirm({
        title: `Retire +${row.number}?`,
        consequence: 'It is no longer offered. It can be put back at any time.',
        action: 'Retire number',
      }));
    if (yes) retire.mutate({ params: { number: row.number }, body: { retired } });
  };
  const actions: RowAction<InventoryNumber>[] = [
    {
      key: 'retire',
      label: 'Retire',
      icon: IconArchive,
      danger: true,
      isOffered: (row) => row.status !== 'retired',
      reason: (row) => mayNot ?? (row.status === 'taken' ? 'A customer has it.' : null),
      onSelect: (row) => void change(row, true),
    },
    {
      key: 'restore',
      label: 'Offer again',
      icon: IconRestore,
      isOffered: (row) => row.status === 'retired',
      reason: () => mayNot,
      onSelect: (row) => void change(row, false),
    },
  ];
  return (
    <>
      <PageHeader
        title="Numbers"
        description="What customers can buy, at which price, and who has what."
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
        search="Digits, city or company"
        facets={[
          { key: 'statuses', label: 'Status', options: STATES },
          { key: 'types', label: 'Type', options: NUMBER_TYPES },
        ]}
        tools={
          <Button size="xs" variant="default" onClick={() => panel.open('prices')}>
            Prices
          </Button>
        }
        columns={COLUMNS}
        rowKey={(row) => row.number}
        actions={actions}
        empty={
          <EmptyState icon={IconHash} title="No numbers yet">
            Add those that your carriers have given you, and set a price: then customers can buy them.
          </EmptyState>
        }
        emptyFiltered={
          <EmptyState icon={IconHash} title="No number fits">
            Take a filter away to see the others.
          </EmptyState>
        }
      />
      <AddNumbersPanel open={panel.id === 'add'} onClose={panel.close} />
      <PricesPanel open={panel.id === 'prices'} onClose={panel.close} />
    </>
  );
}
