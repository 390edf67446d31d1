/** Numbers on offer, with what they cost and when they renew; buying takes the money and the number together. */
import { Button, Select } from '@mantine/core';
import { type FreeNumber, listNumberPlaces, listNumbers } from '@parley/contract/numbers/numbers.ts';
import { createSender } from '@parley/contract/senders/orders.ts';
import { IconCards } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { queryClient, toastError, useAction, useEndpoint } from '../kernel/http/query.ts';
import { ListTable } from '../kernel/list/ListTable.tsx';
import { useList } from '../kernel/list/list.tsx';
import { Allow } from '../kernel/session/allow.tsx';
import { linkTo, REQUEST_PATHS, SENDERS } from '../paths.ts';
import { TYPE_LABELS } from '../senders/labels.ts';
import { formatMoney } from '../ui/data/format.ts';
import { Money } from '../ui/data/Money.tsx';
import { PhoneNumber } from '../ui/data/PhoneNumber.tsx';
import { parsePhone } from '../ui/data/phone.ts';
import type { Column } from '../ui/data/table/DataTable.tsx';
import { confirm } from '../ui/feedback/Confirm.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';
import { countryName } from '../ui/form/countries.ts';
import { Back } from '../ui/layout/Back.tsx';
import { PageHeader } from '../ui/layout/PageHeader.tsx';
import styles from './Numbers.module.css';

const FILTERS = ['search', 'type', 'country', 'city'] as const;
const price = (key: 'setup_micros' | 'monthly_micros', title: string): Column<FreeNumber> => ({
  key,
  title,
  align: 'end',
  fixed: key === 'monthly_micros',
  narrow: key === 'monthly_micros',
  render: (row) => <Money micros={row[key]} currency={row.currency} />,
});

export default function BuyNumberPage() {
  const navigate = useNavigate();
  const list = useList(listNumbers, { filters: FILTERS, subject: 'The numbers' });
  const places = useEndpoint(listNumberPlaces).data?.data ?? [];
  const buy = useAction(createSender, {
    invalidates: ['numbers', 'balances', 'ledger'],
    onSuccess: ({ data }) => {
      toast.success(`${parsePhone(data.code).text} is yours`);
      if (data.status !== 'unregistered') void navigate(linkTo(SENDERS, { tab: 'numbers', open: data.id }));
      else
        void navigate(linkTo(data.type === 'toll_free' ? REQUEST_PATHS.toll_free : REQUEST_PATHS.tcr, { id: data.id }));
    },
    // Somebody was faster: the list shows what is left.
    onError: (error) => {
      toastError(error);
      if (error.name === 'NUMBER_TAKEN') void queryClient.invalidateQueries({ queryKey: ['numbers'] });
    },
  });
  const chosen = { type: list.filter('type'), country: list.filter('country') };
  const here = places.filter(
    (place) => (!chosen.type || place.type === chosen.type) && (!chosen.country || place.country === chosen.country),
  );
  const cities = [...new Set(here.flatMap((place) => place.cities))].sort();
  const ask = async (row: FreeNumber) => {
    const total = formatMoney(row.setup_micros + row.monthly_micros, row.currency);
    const yes = await confirm({
      title: `Buy ${parsePhone(row.number).text}?`,
      consequence: `${total} is taken from the balance now: the setup and the first month. After that ${formatMoney(row.monthly_micros, row.currency)} every month, until you release it.${row.registration ? ' It has to be registered before it can send.' : ''}`,
      action: `Buy for ${total}`,
      danger: false,
    });
    if (yes) buy.mutate({ body: { type: row.type, code: row.number } });
  };
  const columns: Column<FreeNumber>[] = [
    {
      key: 'number',
      title: 'Number',
      fixed: true,
      render: (row) => (
        <span className={styles.stack}>
          <PhoneNumber value={row.number} />
          {row.registration && <span className={styles.under}>Registered before it can send</span>}
        </span>
      ),
    },
    { key: 'type', title: 'Type', narrow: false, render: (row) => TYPE_LABELS[row.type] },
    {
      key: 'place',
      title: 'Place',
      narrow: false,
      render: (row) => [row.city, countryName(row.country)].filter(Boolean).join(', '),
    },
    price('setup_micros', 'Setup'),
    price('monthly_micros', 'A month'),
    {
      key: 'buy',
      title: '',
      fixed: true,
      align: 'end',
      render: (row) => (
        <Allow needs={createSender.needs}>
          <Button
            size="xs"
            variant="default"
            loading={buy.isPending && buy.variables?.body.code === row.number}
            aria-label={`Buy ${parsePhone(row.number).text}`}
            onClick={() => void ask(row)}
          >
            Buy
          </Button>
        </Allow>
      ),
    },
  ];
  return (
    <>
      <Back {...linkTo(SENDERS, { tab: 'numbers' })}>My Numbers</Back>
      <PageHeader
        title="Buy number"
        description="Yours at once, paid from the balance: setup and first month now, then month by month."
      />
      <ListTable
        id="numbers"
        label="Numbers"
        noun="numbers"
        list={list}
        search="Digits"
        tools={
          <>
            <Choice
              label="Type"
              value={chosen.type}
              options={[...new Set(places.map(({ type }) => type))].map((value) => ({
                value,
                label: TYPE_LABELS[value],
              }))}
              onChange={(value) => list.setFilters({ type: value, city: null })}
            />
            <Choice
              label="Country"
              value={chosen.country}
              options={[...new Set(places.map(({ country }) => country))].map((value) => ({
                value,
                label: countryName(value),
              }))}
              onChange={(value) => list.setFilters({ country: value, city: null })}
            />
            {cities.length > 0 && (
              <Choice
                label="City"
                value={list.filter('city')}
                options={cities.map((value) => ({ value, label: value }))}
                onChange={(value) => list.setFilter('city', value)}
              />
            )}
          </>
        }
        columns={columns}
        rowKey={(row) => row.number}
        empty={
          <EmptyState icon={IconCards} title="No numbers are on offer">
            Ask our team for the country you need.
          </EmptyState>
        }
        emptyFiltered={
          <EmptyState icon={IconCards} title="No number fits">
            Take a filter away, or ask our team for numbers of this place.
          </EmptyState>
        }
      />
    </>
  );
}

function Choice(props: {
  label: string;
  value: string;
  options: { value: string; label: string }[];
  onChange: (value: string | null) => void;
}) {
  return (
    <Select
      size="xs"
      className={styles.choice}
      aria-label={props.label}
      placeholder={`Any ${props.label.toLowerCase()}`}
      data={props.options}
      clearable
      clearButtonProps={{ 'aria-label': `Any ${props.label.toLowerCase()}` }}
      value={props.value || null}
      onChange={props.onChange}
    />
  );
}
