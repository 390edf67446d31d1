/** What the company sends from, in three lists: senders, numbers, short codes. */
import { Button } from '@mantine/core';
import { CHANNELS } from '@parley/contract/channels/names.ts';
import { createSender, removeSender } from '@parley/contract/senders/orders.ts';
import { type ListedSender, listSenders, SENDER_STATUSES, SENDER_TYPES } from '@parley/contract/senders/senders.ts';
import { IconCards, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { ListTable } from '../kernel/list/ListTable.tsx';
import { useList } from '../kernel/list/list.tsx';
import { usePanel } from '../kernel/list/panel.ts';
import { Allow } from '../kernel/session/allow.tsx';
import { useReason } from '../kernel/session/session.tsx';
import { BUY_NUMBER, CREATE_SENDER, EDIT_SENDER, linkTo, REQUEST_PATHS, SENDERS } from '../paths.ts';
import { ChannelMark, channelLabel } from '../ui/data/ChannelMark.tsx';
import { DateTime } from '../ui/data/DateTime.tsx';
import { formatCount } from '../ui/data/format.ts';
import { Money } from '../ui/data/Money.tsx';
import { PhoneNumber } from '../ui/data/PhoneNumber.tsx';
import { StatusBadge } from '../ui/data/StatusBadge.tsx';
import { SENDER_REQUEST, STATUSES } from '../ui/data/status.ts';
import type { Column, RowAction } from '../ui/data/table/DataTable.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { countryName, countryOptions } from '../ui/form/countries.ts';
import { PageHeader } from '../ui/layout/PageHeader.tsx';
import tabStyles from '../ui/layout/Tabs.module.css';
import { useRemoveSender, verbOf } from './acts.ts';
import { OwnNumbers } from './OwnNumbers.tsx';
import { SenderPanel } from './SenderPanel.tsx';
import styles from './Senders.module.css';
import { TABS, type Tab } from './tabs.ts';
import { lookOf, standing, TYPE_WORDS } from './words.ts';

const TAB_WORDS: Record<Tab, string> = { senders: 'Senders', numbers: 'My Numbers', short_codes: 'My Short Codes' };
const TYPES_OF: Record<Tab, readonly ListedSender['type'][]> = {
  senders: SENDER_TYPES,
  numbers: ['local', 'mobile', 'toll_free'],
  short_codes: ['short_code'],
};
const FILTERS: Record<Tab, readonly string[]> = {
  senders: ['search', 'channels', 'types', 'statuses', 'countries'],
  numbers: ['search', 'types', 'request_statuses', 'countries'],
  short_codes: ['search', 'request_statuses', 'countries'],
};
const NEXT: Record<Tab, { path: string; label: string }> = {
  senders: { path: CREATE_SENDER, label: 'Create sender' },
  numbers: { path: BUY_NUMBER, label: 'Buy number' },
  short_codes: { path: REQUEST_PATHS.short_code, label: 'Request short code' },
};

const name: Column<ListedSender> = {
  key: 'code',
  title: 'Sender',
  fixed: true,
  render: (row) => (
    <span className={styles.stack}>
      <span className={styles.code}>{row.code ? <PhoneNumber value={row.code} /> : row.name}</span>
      {underOf(row) && <span className={styles.under}>{underOf(row)}</span>}
      {row.members_count > 0 && <span className={styles.under}>+{formatCount(row.members_count, 'number')}</span>}
      {row.pool_name !== null && <span className={styles.under}>Behind {row.pool_name}</span>}
    </span>
  ),
};
/** What else it is called: the business name where there is one, else the name it has here. */
function underOf({ name, code, business_name, channel }: ListedSender): string | null {
  if (!code && channel === 'SMS') return 'No code yet';
  const words = business_name && business_name !== code ? business_name : code ? name : '';
  return words === code || words === `+${code}` ? null : words || null;
}
const channel: Column<ListedSender> = {
  key: 'channel',
  title: 'Channel',
  narrow: false,
  render: (row) => <ChannelMark channel={row.channel} />,
};
const status: Column<ListedSender> = {
  key: 'status',
  title: 'Status',
  fixed: true,
  render: (row) => <StatusBadge {...lookOf(row)} />,
};
const type: Column<ListedSender> = { key: 'type', title: 'Type', narrow: false, render: (row) => TYPE_WORDS[row.type] };
const countries: Column<ListedSender> = {
  key: 'countries',
  title: 'Countries',
  narrow: false,
  render: ({ countries: all, status }) =>
    all.length === 0
      ? status === 'unregistered'
        ? '\u2013'
        : 'All'
      : all.length > 3
        ? `${all.length} countries`
        : all.map(countryName).join(', '),
};
const since: Column<ListedSender> = {
  key: 'since',
  title: 'Created',
  narrow: false,
  render: (row) => <DateTime value={row.create_date} show="date" />,
};
const COLUMNS: Record<Tab, Column<ListedSender>[]> = {
  senders: [
    name,
    status,
    channel,
    type,
    countries,
    { key: 'quality', title: 'Quality', narrow: false, render: (row) => standing(row.carrier_state) },
    { key: 'answers', title: 'Answers', narrow: false, hidden: true, render: (row) => (row.two_way ? 'Yes' : 'No') },
    since,
  ],
  numbers: [
    name,
    status,
    type,
    {
      key: 'cost',
      title: 'A month',
      align: 'end',
      narrow: false,
      render: ({ rental }) => (rental ? <Money micros={rental.monthly_micros} currency={rental.currency} /> : '–'),
    },
    {
      key: 'renewal',
      title: 'Renews',
      narrow: false,
      render: ({ rental }) =>
        rental ? <DateTime value={rental.grace_date ?? rental.renewal_date} show="date" /> : '–',
    },
    since,
  ],
  short_codes: [name, status, countries, since],
};

const CHANNEL_OPTIONS = CHANNELS.map((value) => ({ value, label: channelLabel(value) }));

export default function SendersPage() {
  const { tab: given } = useSearch({ strict: false }) as { tab?: string };
  const tab = TABS.find((one) => one === given) ?? 'senders';
  return (
    <>
      <PageHeader
        title="Senders"
        description="What your messages come from: numbers, short codes, names and businesses."
        action={
          <Allow needs={createSender.needs}>
            <Button component={Link} to={NEXT[tab].path} leftSection={<IconPlus size={16} aria-hidden />}>
              {NEXT[tab].label}
            </Button>
          </Allow>
        }
      >
        <nav aria-label="Kinds of senders" className={tabStyles.tabs}>
          {TABS.map((one) => (
            <Link
              key={one}
              {...linkTo(SENDERS, one === 'senders' ? {} : { tab: one })}
              className={tabStyles.tab}
              activeOptions={{ exact: true, includeSearch: true }}
              aria-current={one === tab ? 'page' : undefined}
            >
              {TAB_WORDS[one]}
            </Link>
          ))}
        </nav>
      </PageHeader>
      <TabList key={tab} tab={tab} />
      {tab === 'numbers' && <OwnNumbers />}
    </>
  );
}

function TabList({ tab }: { tab: Tab }) {
  const panel = usePanel();
  const navigate = useNavigate();
  const remove = useRemoveSender(panel.close);
  const mayRemove = useReason(removeSender.needs);
  const mayEdit = useReason(createSender.needs);
  const places = useMemo(countryOptions, []);
  const list = useList(listSenders, {
    filters: FILTERS[tab],
    subject: 'The senders',
    toFilter: ({ search, ...rest }) => ({
      ...(tab === 'senders' ? {} : { channel: 'SMS' }),
      types: TYPES_OF[tab].join(','),
      ...(search ? { name: search } : {}),
      ...rest,
    }),
  });
  const actions: RowAction<ListedSender>[] = [
    {
      key: 'edit',
      label: 'Edit',
      icon: IconPencil,
      reason: () => mayEdit,
      isOffered: (row) => row.request_status !== 'DELETED',
      onSelect: (row) => void navigate(linkTo(EDIT_SENDER, { id: row.id })),
    },
    {
      key: 'remove',
      label: tab === 'numbers' ? 'Release' : 'Delete',
      icon: IconTrash,
      danger: true,
      reason: () => mayRemove,
      isOffered: (row) => row.request_status !== 'DELETED',
      onSelect: (row) => void remove(row),
    },
  ];
  const statuses =
    tab === 'senders'
      ? {
          key: 'statuses',
          label: 'Status',
          options: SENDER_STATUSES.map((value) => ({ value, label: STATUSES[value]!.label })),
        }
      : {
          key: 'request_statuses',
          label: 'Status',
          options: ['COMPLETED', 'IN_PROCESS', 'CANCELED', 'DELETED'].map((value) => ({
            value,
            label: SENDER_REQUEST[value.toLowerCase()]!.label,
          })),
        };
  return (
    <>
      <ListTable
        id={`senders_${tab}`}
        label={TAB_WORDS[tab]}
        noun={tab === 'numbers' ? 'numbers' : tab === 'short_codes' ? 'short codes' : 'senders'}
        list={list}
        search="Name or number"
        facets={[
          ...(tab === 'senders' ? [{ key: 'channels', label: 'Channel', options: CHANNEL_OPTIONS }] : []),
          ...(TYPES_OF[tab].length > 1
            ? [
                {
                  key: 'types',
                  label: 'Type',
                  options: TYPES_OF[tab].map((value) => ({ value, label: TYPE_WORDS[value] })),
                },
              ]
            : []),
          statuses,
          { key: 'countries', label: 'Country', options: places },
        ]}
        columns={COLUMNS[tab]}
        rowKey={(row) => row.id}
        rowName={(row) => row.code || row.name}
        onOpen={(row) => panel.open(row.id)}
        openKey={panel.id}
        actions={actions}
        empty={<Nothing tab={tab} />}
        emptyFiltered={
          <EmptyState icon={IconCards} title="Nothing fits">
            Take a filter away to see the others.
          </EmptyState>
        }
      />
      <SenderPanel id={panel.id} onClose={panel.close} onRemove={(sender) => void remove(sender)} verb={verbOf} />
    </>
  );
}

const NOTHING: Record<Tab, { title: string; text: string }> = {
  senders: {
    title: 'No senders yet',
    text: 'Messages need something to come from. A number can be bought at once; a name or a short code is approved first.',
  },
  numbers: {
    title: 'No numbers yet',
    text: 'A number of your own sends and receives. You pay a setup once and then by the month.',
  },
  short_codes: {
    title: 'No short codes yet',
    text: 'Five or six digits that are easy to remember, for many messages at once. Carriers approve each program.',
  },
};

function Nothing({ tab }: { tab: Tab }) {
  return (
    <EmptyState
      icon={IconCards}
      title={NOTHING[tab].title}
      action={
        <Allow needs={createSender.needs}>
          <Button component={Link} to={NEXT[tab].path}>
            {NEXT[tab].label}
          </Button>
        </Allow>
      }
    >
      {NOTHING[tab].text}
    </EmptyState>
  );
}
