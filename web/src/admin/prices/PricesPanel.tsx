/** What numbers cost. A price that is changed counts for those who buy from now on. */
import { Button, NumberInput, Select } from '@mantine/core';
import { CURRENCIES } from '@parley/contract/common.ts';
import { listNumberPrices, type NumberPrice, putNumberPrice } from '@parley/contract/numbers/numbers.ts';
import { useContractForm } from '../../kernel/form/form.ts';
import { useEndpoint } from '../../kernel/http/query.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import { Money } from '../../ui/data/Money.tsx';
import { type Column, DataTable } from '../../ui/data/table/DataTable.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { CountrySelect } from '../../ui/form/CountrySelect.tsx';
import { countryName } from '../../ui/form/countries.ts';
import { SidePanel } from '../../ui/layout/SidePanel.tsx';
import styles from '../Admin.module.css';
import { NUMBER_TYPE_WORDS, NUMBER_TYPES } from './number_words.ts';

type Row = NumberPrice & { free_count: number };
const COLUMNS: Column<Row>[] = [
  {
    key: 'what',
    title: 'Numbers',
    fixed: true,
    width: '100%',
    render: (row) => `${NUMBER_TYPE_WORDS[row.type]}, ${countryName(row.country)}`,
  },
  {
    key: 'setup',
    title: 'Setup',
    fixed: true,
    align: 'end',
    render: (row) => <Money micros={row.setup_micros} currency={row.currency} />,
  },
  {
    key: 'month',
    title: 'A month',
    fixed: true,
    align: 'end',
    render: (row) => <Money micros={row.monthly_micros} currency={row.currency} />,
  },
  { key: 'free', title: 'Free', align: 'end', narrow: false, render: (row) => row.free_count },
];

export function PricesPanel({ open, onClose }: { open: boolean; onClose: () => void }) {
  const answer = useEndpoint(listNumberPrices, {}, { enabled: open });
  return (
    <SidePanel
      wide
      open={open}
      onClose={onClose}
      title="Prices"
      description="By country, kind and currency of the customer."
    >
      <section className={styles.section}>
        {answer.data || answer.error ? (
          <DataTable
            id="number_prices"
            label="Prices"
            grow
            columns={COLUMNS}
            rows={answer.data?.data}
            rowKey={(row) => `${row.country} ${row.type} ${row.currency}`}
            error={answer.error ? <p className={styles.problem}>{answer.error.message}</p> : null}
            empty={<EmptyState title="No prices yet">Numbers without a price are not offered.</EmptyState>}
          />
        ) : (
          <SkeletonLines lines={4} />
        )}
      </section>
      <section className={styles.section}>
        <h3>Set a price</h3>
        {open && <Form />}
      </section>
    </SidePanel>
  );
}

const MICROS = 1_000_000;

function Form() {
  const { form, onSubmit, sending, problem } = useContractForm(putNumberPrice, {
    initial: {
      country: 'US',
      type: 'local',
      currency: 'USD',
      setup_micros: 0 as number | string,
      monthly_micros: 1 as number | string,
    },
    body: ({ setup_micros, monthly_micros, ...rest }) => ({
      ...rest,
      setup_micros: Math.round(Number(setup_micros) * MICROS),
      monthly_micros: Math.round(Number(monthly_micros) * MICROS),
    }),
    check: ({ setup_micros, monthly_micros }) => ({
      setup_micros: setup_micros === '' ? 'Setup is required!' : null,
      monthly_micros: monthly_micros === '' ? 'Price is required!' : null,
    }),
    onDone: ({ data }) =>
      toast.success(`${NUMBER_TYPE_WORDS[data.type]} numbers of ${countryName(data.country)} have their price`),
  });
  const amount = (name: 'setup_micros' | 'monthly_micros', label: string) => (
    <NumberInput
      label={label}
      min={0}
      max={10_000}
      decimalScale={2}
      fixedDecimalScale
      hideControls
      key={form.key(name)}
      {...form.getInputProps(name)}
    />
  );
  return (
    <form className={styles.panelForm} onSubmit={onSubmit} noValidate aria-label="Price">
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      <div className={styles.pair}>
        <CountrySelect label="Country" key={form.key('country')} {...form.getInputProps('country')} />
        <Select
          label="Type"
          data={NUMBER_TYPES}
          allowDeselect={false}
          key={form.key('type')}
          {...form.getInputProps('type')}
        />
      </div>
      <Select
        label="Currency"
        data={[...CURRENCIES]}
        allowDeselect={false}
        key={form.key('currency')}
        {...form.getInputProps('currency')}
      />
      <div className={styles.pair}>
        {amount('setup_micros', 'Setup, once')}
        {amount('monthly_micros', 'A month')}
      </div>
      <div className={styles.buttons}>
        <Allow needs={putNumberPrice.needs}>
          <Button type="submit" loading={sending}>
            Set price
          </Button>
        </Allow>
      </div>
    </form>
  );
}
