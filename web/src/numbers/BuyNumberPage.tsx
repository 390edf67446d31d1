/** Numbers for sale with their prices. Buying charges the balance and assigns the number in one step. */
import { Button } from '@mantine/core';
import { type FreeNumber, listNumberPlaces, listNumbers } from '@parley/contract/numbers/numbers.ts';
import { createSender } from '@parley/contract/senders/orders.ts';
import { IconCards } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { queryClient, toastError, useAction, useEndpoint } from '../kernel/http/query.ts';
import { ListTable } from '../kernel/list/ListTable.tsx';
import { type List, useList } from '../kernel/list/list.tsx';
import { Allow } from '../kernel/session/allow.tsx';
import { linkTo, REQUEST_PATHS, SENDERS } from '../paths.ts';
import { TYPE_LABELS } from '../senders/labels.ts';
import senderStyles from '../senders/Senders.module.css';
import type { Facet } from '../ui/data/filter/FilterBar.tsx';
import { formatMoney } from '../ui/data/format.ts';
import { PhoneNumber } from '../ui/data/PhoneNumber.tsx';
import { parsePhone } from '../ui/data/phone.ts';
import type { Column } from '../ui/data/table/DataTable.tsx';
import { moneyColumn } from '../ui/data/table/money_column.tsx';
import { confirm } from '../ui/feedback/Confirm.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';
import { countryName } from '../ui/form/countries.ts';
import { Back } from '../ui/layout/Back.tsx';
import { PageHeader } from '../ui/layout/PageHeader.tsx';

const FILTERS = ['search', 'type', 'country', 'city'] as const;
const price = (key: 'setup_micros' | 'monthly_micros', title: string): Column<FreeNumber> =>
  moneyColumn({
    key,
    title,
    fixed: key === 'monthly_micros',
    narrow: key === 'monthly_micros',
    micros: (row) => row[key],
    currency: (row) => row.currency,
  });

export default function BuyNumberPage() {
  const list = useList(listNumbers, { filters: FILTERS, subject: 'The numbers' });
  const columns = useColumns();
  const facets = usePlaceFacets(list);
  return (
    <>
      <Back {...linkTo(SENDERS, { tab: 'numbers' })}>My Numbers</Back>
      <PageHeader
        title="Buy number"
        description="Numbers work immediately. You pay the setup fee and the first month now, then the monthly price."
      />
      <ListTable
        id="numbers"
        label="Numbers"
        noun="numbers"
        list={withoutStaleCity(list)}
        search="Digits"
        facets={facets}
        columns={columns}
        rowKey={(row) => row.number}
        empty={
          <EmptyState icon={IconCards} title="No numbers available">
            Contact our team for numbers in the country you need.
          </EmptyState>
        }
        emptyFiltered={
          <EmptyState icon={IconCards} title="No numbers match these filters">
            Clear a filter, or contact our team for numbers in this location.
          </EmptyState>
        }
      />
    </>
  );
}

/**
 * Asks the user to confirm the price, buys the number, and opens it, or opens the registration if the number requires
 * one.
 */
function useBuyNumber() {
  const navigate = useNavigate();
  const buy = useAction(createSender, {
    invalidates: ['numbers', 'balances', 'ledger'],
    onSuccess: ({ data }) => {
      toast.success(`${parsePhone(data.code).text} is yours`);
      if (data.status !== 'unregistered') void navigate(linkTo(SENDERS, { tab: 'numbers', open: data.id }));
      else
        void navigate(linkTo(data.type === 'toll_free' ? REQUEST_PATHS.toll_free : REQUEST_PATHS.tcr, { id: data.id }));
    },
    // Another company may have bought the number. In that case, the list is reloaded.
    onError: (error) => {
      toastError(error);
      if (error.name === 'NUMBER_TAKEN') void queryClient.invalidateQueries({ queryKey: ['numbers'] });
    },
  });
  const confirmPurchase = async (row: FreeNumber) => {
    const total = formatMoney(row.setup_micros + row.monthly_micros, row.currency);
    const monthly = formatMoney(row.monthly_micros, row.currency);
    const confirmed = await confirm({
      title: `Buy ${parsePhone(row.number).text}?`,
      consequence: [
        `${total} will be charged to your balance now, for the setup fee and the first month.`,
        `After that, the number costs ${monthly} per month until you release it.`,
        ...(row.registration ? ['You must register the number before you can send from it.'] : []),
      ].join(' '),
      action: `Buy for ${total}`,
      danger: false,
    });
    if (confirmed) buy.mutate({ body: { type: row.type, code: row.number } });
  };
  return { confirmPurchase, buying: buy.isPending ? buy.variables.body.code : null };
}

function useColumns(): Column<FreeNumber>[] {
  const { confirmPurchase, buying } = useBuyNumber();
  return [
    {
      key: 'number',
      title: 'Number',
      fixed: true,
      render: (row) => (
        <span className={senderStyles.stack}>
          <PhoneNumber value={row.number} />
          {row.registration && <span className={senderStyles.under}>Requires registration</span>}
        </span>
      ),
    },
    { key: 'type', title: 'Type', narrow: false, render: (row) => TYPE_LABELS[row.type] },
    {
      key: 'place',
      title: 'Location',
      card: 'subtitle',
      narrow: false,
      render: (row) => [row.city, countryName(row.country)].filter(Boolean).join(', '),
    },
    price('setup_micros', 'Setup fee'),
    price('monthly_micros', 'Per month'),
    {
      key: 'buy',
      title: '',
      card: 'corner',
      fixed: true,
      align: 'end',
      render: (row) => (
        <Allow needs={createSender.needs}>
          <Button
            size="xs"
            variant="default"
            loading={buying === row.number}
            aria-label={`Buy ${parsePhone(row.number).text}`}
            onClick={() => void confirmPurchase(row)}
          >
            Buy
          </Button>
        </Allow>
      ),
    },
  ];
}

/** Filters for type, country, and city. Each offers only values for which numbers are available. */
function usePlaceFacets(list: Pick<List<FreeNumber>, 'filter'>): Facet[] {
  const places = useEndpoint(listNumberPlaces).data?.data ?? [];
  const [type, country] = [list.filter('type'), list.filter('country')];
  const matches = places.filter((place) => (!type || place.type === type) && (!country || place.country === country));
  const facet = (key: string, label: string, values: readonly string[], name = (value: string) => value): Facet[] =>
    values.length === 0
      ? []
      : [{ key, label, single: true, options: [...new Set(values)].map((value) => ({ value, label: name(value) })) }];
  const types = places.map((place) => place.type);
  return [
    ...facet('type', 'Type', types, (value) => TYPE_LABELS[value as FreeNumber['type']]),
    ...facet(
      'country',
      'Country',
      places.map((place) => place.country),
      countryName,
    ),
    ...facet('city', 'City', matches.flatMap((place) => place.cities).sort()),
  ];
}

/** A city belongs to a country and a type, so changing either clears the city. */
function withoutStaleCity<T>(list: List<T>): List<T> {
  return {
    ...list,
    setFilter: (name, value) =>
      name === 'city' || name === 'search'
        ? list.setFilter(name, value)
        : list.setFilters({ [name]: value === null ? null : [value].flat().join(','), city: null }),
  };
}
