/** The company's senders, in three tabs: senders, numbers, and short codes. */

import { Button } from '@mantine/core';
import { CHANNELS, PHONE_CHANNEL } from '@parley/contract/channels/names.ts';
import type { SortName } from '@parley/contract/endpoint.ts';
import { createSender, removeSender } from '@parley/contract/senders/orders.ts';
import {
  type ListedSender,
  listSenders,
  REQUEST_STATUSES,
  SENDER_REQUEST,
  SENDER_STATUS,
  SENDER_STATUSES,
  SENDER_TYPES,
} from '@parley/contract/senders/senders.ts';
import { IconCards, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { ChannelMark } from '../channels/ChannelMark.tsx';
import { channelLabel } from '../channels/index.ts';
import { ListTable } from '../kernel/list/ListTable.tsx';
import { useList } from '../kernel/list/list.tsx';
import { usePanel } from '../kernel/list/panel.ts';
import { Allow } from '../kernel/session/allow.tsx';
import { useReason } from '../kernel/session/session.tsx';
import { BUY_NUMBER, CREATE_SENDER, EDIT_SENDER, linkTo, REQUEST_PATHS, SENDERS } from '../paths.ts';
import { DateTime } from '../ui/data/DateTime.tsx';
import { formatCount } from '../ui/data/format.ts';
import { PhoneNumber } from '../ui/data/PhoneNumber.tsx';
import { StatusBadge } from '../ui/data/StatusBadge.tsx';
import type { Column, RowAction } from '../ui/data/table/DataTable.tsx';
import { moneyColumn } from '../ui/data/table/money_column.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { countryName, countryOptions } from '../ui/form/countries.ts';
import { PageHeader } from '../ui/layout/PageHeader.tsx';
import { PageTab, PageTabs } from '../ui/layout/PageTabs.tsx';
import { carrierSummary, senderStatus, TYPE_LABELS } from './labels.ts';
import { OwnNumbers } from './OwnNumbers.tsx';
import { removeVerb, useRemoveSender } from './remove_sender.ts';
import { SenderPanel } from './SenderPanel.tsx';
import styles from './Senders.module.css';
import { TABS, type Tab } from './tabs.ts';

const TAB_LABELS: Record<Tab, string> = { senders: 'Senders', numbers: 'My Numbers', short_codes: 'My Short Codes' };
const TAB_TYPES: Record<Tab, readonly ListedSender['type'][]> = {
  senders: SENDER_TYPES,
  numbers: ['local', 'mobile', 'toll_free'],
  short_codes: ['short_code'],
};
const FILTERS: Record<Tab, readonly string[]> = {
  senders: ['search', 'channels', 'types', 'statuses', 'countries'],
  numbers: ['search', 'types', 'request_statuses', 'countries'],
  short_codes: ['search', 'request_statuses', 'countries'],
};
const NOUNS: Record<Tab, string> = { senders: 'senders', numbers: 'numbers', short_codes: 'short codes' };
const CREATE_ACTIONS: Record<Tab, { path: string; label: string }> = {
  senders: { path: CREATE_SENDER, label: 'Create sender' },
  numbers: { path: BUY_NUMBER, label: 'Buy number' },
  short_codes: { path: REQUEST_PATHS.short_code, label: 'Request short code' },
};

const name: Column<ListedSender, SortName<typeof listSenders>> = {
  key: 'code',
  title: 'Sender',
  sort: 'code',
  fixed: true,
  render: (row) => (
    <span className={styles.stack}>
      <span className={styles.code}>{row.code ? <PhoneNumber value={row.code} /> : row.name}</span>
      {secondaryName(row) && <span className={styles.under}>{secondaryName(row)}</span>}
      {row.members_count > 0 && <span className={styles.under}>+{formatCount(row.members_count, 'number')}</span>}
      {row.pool_name !== null && <span className={styles.under}>In the pool of {row.pool_name}</span>}
    </span>
  ),
};
/** The second line: the business name, or otherwise the sender's name if it differs from the code. */
function secondaryName({ name, code, business_name, channel }: ListedSender): string | null {
  if (!code && channel === PHONE_CHANNEL) return 'No code yet';
  const secondary = business_name && business_name !== code ? business_name : code ? name : '';
  return secondary === code || secondary === `+${code}` ? null : secondary || null;
}
const channel: Column<ListedSender, SortName<typeof listSenders>> = {
  key: 'channel',
  title: 'Channel',
  sort: 'channel',
  narrow: false,
  render: (row) => <ChannelMark channel={row.channel} />,
};
const status: Column<ListedSender, SortName<typeof listSenders>> = {
  key: 'status',
  title: 'Status',
  sort: 'status',
  card: 'corner',
  fixed: true,
  render: (row) => <StatusBadge {...senderStatus(row)} />,
};
const type: Column<ListedSender, SortName<typeof listSenders>> = {
  key: 'type',
  title: 'Type',
  sort: 'type',
  card: 'fact',
  narrow: false,
  render: (row) => TYPE_LABELS[row.type],
};
const countries: Column<ListedSender, SortName<typeof listSenders>> = {
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
const since: Column<ListedSender, SortName<typeof listSenders>> = {
  key: 'since',
  title: 'Created',
  sort: 'create_date',
  card: 'hidden',
  narrow: false,
  render: (row) => <DateTime value={row.create_date} show="date" />,
};
const COLUMNS: Record<Tab, Column<ListedSender, SortName<typeof listSenders>>[]> = {
  senders: [
    name,
    status,
    channel,
    type,
    countries,
    { key: 'quality', title: 'Quality', narrow: false, render: (row) => carrierSummary(row.carrier_state) },
    { key: 'answers', title: 'Two-way', narrow: false, hidden: true, render: (row) => (row.two_way ? 'Yes' : 'No') },
    since,
  ],
  numbers: [
    name,
    status,
    type,
    moneyColumn({
      key: 'cost',
      title: 'Per month',
      sort: 'monthly_micros',
      narrow: false,
      micros: ({ rental }) => rental?.monthly_micros ?? null,
      currency: ({ rental }) => rental?.currency ?? '',
    }),
    {
      key: 'renewal',
      title: 'Renews',
      sort: 'renewal_date',
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
        description="Numbers, short codes, sender IDs, and business accounts that you send from."
        action={
          <Allow needs={createSender.needs}>
            <Button component={Link} to={CREATE_ACTIONS[tab].path} leftSection={<IconPlus size={16} aria-hidden />}>
              {CREATE_ACTIONS[tab].label}
            </Button>
          </Allow>
        }
      >
        <PageTabs label="Sender types">
          {TABS.map((one) => (
            <PageTab key={one} link={linkTo(SENDERS, one === 'senders' ? {} : { tab: one })} isOpen={one === tab}>
              {TAB_LABELS[one]}
            </PageTab>
          ))}
        </PageTabs>
      </PageHeader>
      <TabList key={tab} tab={tab} />
      {tab === 'numbers' && <OwnNumbers />}
    </>
  );
}

function TabList({ tab }: { tab: Tab }) {
  const panel = usePanel();
  const remove = useRemoveSender(panel.close);
  const actions = useRowActions(tab, remove);
  const facets = useFacets(tab);
  const list = useList(listSenders, {
    filters: FILTERS[tab],
    subject: 'The senders',
    toFilter: ({ search, ...rest }) => ({
      ...(tab === 'senders' ? {} : { channel: PHONE_CHANNEL }),
      types: TAB_TYPES[tab].join(','),
      ...(search ? { name: search } : {}),
      ...rest,
    }),
  });
  return (
    <>
      <ListTable
        id={`senders_${tab}`}
        label={TAB_LABELS[tab]}
        noun={NOUNS[tab]}
        list={list}
        search="Name or number"
        facets={facets}
        columns={COLUMNS[tab]}
        rowKey={(row) => row.id}
        rowName={(row) => row.code || row.name}
        onOpen={(row) => panel.open(row.id)}
        openKey={panel.id}
        actions={actions}
        empty={<EmptyTab tab={tab} />}
        emptyFiltered={
          <EmptyState icon={IconCards} title={`No ${NOUNS[tab]} match these filters`}>
            Clear a filter or try another search.
          </EmptyState>
        }
      />
      <SenderPanel id={panel.id} onClose={panel.close} onRemove={(sender) => void remove(sender)} verb={removeVerb} />
    </>
  );
}

function useRowActions(tab: Tab, remove: (sender: ListedSender) => Promise<void>): RowAction<ListedSender>[] {
  const navigate = useNavigate();
  const removeReason = useReason(removeSender.needs);
  const editReason = useReason(createSender.needs);
  return [
    {
      key: 'edit',
      label: 'Edit',
      icon: IconPencil,
      reason: () => editReason,
      isOffered: (row) => row.request_status !== 'DELETED',
      onSelect: (row) => void navigate(linkTo(EDIT_SENDER, { id: row.id })),
    },
    {
      key: 'remove',
      label: tab === 'numbers' ? 'Release' : 'Delete',
      icon: IconTrash,
      danger: true,
      reason: () => removeReason,
      isOffered: (row) => row.request_status !== 'DELETED',
      onSelect: (row) => void remove(row),
    },
  ];
}

/** Senders are filtered by their status; numbers and short codes are filtered by the status of their request. */
function useFacets(tab: Tab) {
  const countryChoices = useMemo(countryOptions, []);
  const statuses =
    tab === 'senders'
      ? {
          key: 'statuses',
          label: 'Status',
          options: SENDER_STATUSES.map((value) => ({ value, label: SENDER_STATUS[value].label })),
        }
      : {
          key: 'request_statuses',
          label: 'Status',
          options: REQUEST_STATUSES.map((value) => ({
            value,
            label: SENDER_REQUEST[value].label,
          })),
        };
  const types = {
    key: 'types',
    label: 'Type',
    options: TAB_TYPES[tab].map((value) => ({ value, label: TYPE_LABELS[value] })),
  };
  return [
    ...(tab === 'senders' ? [{ key: 'channels', label: 'Channel', options: CHANNEL_OPTIONS }] : []),
    ...(TAB_TYPES[tab].length > 1 ? [types] : []),
    statuses,
    { key: 'countries', label: 'Country', options: countryChoices },
  ];
}

const EMPTY_TEXTS: Record<Tab, { title: string; text: string }> = {
  senders: {
    title: 'No senders yet',
    text: 'You need a sender to send messages. Numbers work immediately; sender IDs and short codes need approval.',
  },
  numbers: {
    title: 'No numbers yet',
    text: 'Your own number can send and receive messages. You pay a one-time setup fee and a monthly price.',
  },
  short_codes: {
    title: 'No short codes yet',
    text: 'Five or six digits that people remember easily, for high volumes. Carriers approve each program.',
  },
};

function EmptyTab({ tab }: { tab: Tab }) {
  return (
    <EmptyState
      icon={IconCards}
      title={EMPTY_TEXTS[tab].title}
      action={
        <Allow needs={createSender.needs}>
          <Button component={Link} to={CREATE_ACTIONS[tab].path}>
            {CREATE_ACTIONS[tab].label}
          </Button>
        </Allow>
      }
    >
      {EMPTY_TEXTS[tab].text}
    </EmptyState>
  );
}
