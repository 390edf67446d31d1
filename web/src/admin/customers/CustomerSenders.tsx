import { Button } from '@mantine/core';
import { type Customer, createCustomerSender, listCustomerSenders } from '@parley/contract/admin/customers.ts';
import type { SortName } from '@parley/contract/endpoint.ts';
import type { Sender } from '@parley/contract/senders/senders.ts';
import { SENDER_STATUS } from '@parley/contract/senders/senders.ts';
import { IconCards, IconPlus } from '@tabler/icons-react';
import { ChannelMark } from '../../channels/ChannelMark.tsx';
import { ListTable } from '../../kernel/list/ListTable.tsx';
import { useList } from '../../kernel/list/list.tsx';
import { usePanel } from '../../kernel/list/panel.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { StatusBadge } from '../../ui/data/StatusBadge.tsx';
import type { Column } from '../../ui/data/table/DataTable.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { countryName } from '../../ui/form/countries.ts';
import styles from '../Admin.module.css';
import { ALL_SENDER_TYPES } from '../account_words.ts';
import { choiceLabel } from '../connections/words.ts';
import { SenderPanel } from './SenderPanel.tsx';

const FILTERS = [] as const;
const NEW = 'new';

const COLUMNS: Column<Sender, SortName<typeof listCustomerSenders>>[] = [
  {
    key: 'code',
    title: 'Sender',
    sort: 'code',
    fixed: true,
    width: '100%',
    render: (row) => (
      <span className={styles.stack}>
        <span className={styles.name}>{row.code}</span>
        <span className={styles.under}>{row.name}</span>
      </span>
    ),
  },
  {
    key: 'status',
    title: 'Status',
    sort: 'status',
    card: 'corner',
    fixed: true,
    render: (row) => <StatusBadge {...SENDER_STATUS[row.status]} />,
  },
  {
    key: 'channel',
    title: 'Channel',
    sort: 'channel',
    narrow: false,
    render: (row) => <ChannelMark channel={row.channel} />,
  },
  {
    key: 'type',
    title: 'Type',
    sort: 'type',
    narrow: false,
    render: (row) => <span className={styles.number}>{choiceLabel(ALL_SENDER_TYPES, row.type)}</span>,
  },
  {
    key: 'countries',
    title: 'Countries',
    narrow: false,
    render: (row) => (row.countries.length === 0 ? 'All' : row.countries.map(countryName).join(', ')),
  },
  { key: 'two_way', title: 'Two-way', card: 'hidden', narrow: false, render: (row) => (row.two_way ? 'Yes' : 'No') },
  {
    key: 'since',
    title: 'Created',
    sort: 'create_date',
    card: 'hidden',
    narrow: false,
    render: (row) => <DateTime value={row.create_date} show="date" />,
  },
];

export function CustomerSenders({ customer }: { customer: Customer }) {
  const panel = usePanel();
  const list = useList(listCustomerSenders, { params: { id: customer.id }, filters: FILTERS, subject: 'The senders' });
  const add = (
    <Allow needs={createCustomerSender.needs} reason={customer.closed ? 'The account is closed.' : null}>
      <Button size="xs" leftSection={<IconPlus size={15} aria-hidden />} onClick={() => panel.open(NEW)}>
        Create sender
      </Button>
    </Allow>
  );
  return (
    <>
      <ListTable
        id="customer_senders"
        label={`Senders for ${customer.company_name}`}
        noun="senders"
        list={list}
        tools={add}
        columns={COLUMNS}
        rowKey={(row) => row.id}
        rowName={(row) => row.code}
        empty={
          <EmptyState icon={IconCards} title="No senders yet">
            Create a number, short code, or sender ID for this company to send from.
          </EmptyState>
        }
      />
      <SenderPanel customer={customer} open={panel.id === NEW} onClose={panel.close} />
    </>
  );
}
