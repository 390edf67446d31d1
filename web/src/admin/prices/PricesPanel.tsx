/** The prices for numbers. A new price applies only to later purchases. */

import { Button, NumberInput, Select } from '@mantine/core';
import { CURRENCIES } from '@parley/contract/common.ts';
import { listNumberPrices, type NumberPrice, putNumberPrice } from '@parley/contract/numbers/numbers.ts';
import { useContractForm } from '../../kernel/form/form.ts';
import { useEndpoint } from '../../kernel/http/query.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import { type Column, DataTable } from '../../ui/data/table/DataTable.tsx';
import { moneyColumn } from '../../ui/data/table/money_column.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { CountrySelect } from '../../ui/form/CountrySelect.tsx';
import { countryName } from '../../ui/form/countries.ts';
import { Field } from '../../ui/form/Field.tsx';
import { Form } from '../../ui/form/Form.tsx';
import { FormFooter, FormProblem, Pair } from '../../ui/form/FormParts.tsx';
import { SidePanel } from '../../ui/layout/SidePanel.tsx';
import styles from '../Admin.module.css';
import { NUMBER_TYPE_WORDS, NUMBER_TYPES } from './number_words.ts';

type Row = NumberPrice & { free_count: number };
const COLUMNS: Column<Row>[] = [
  {
    key: 'numbers',
    title: 'Numbers',
    fixed: true,
    width: '100%',
    render: (row) => `${NUMBER_TYPE_WORDS[row.type]}, ${countryName(row.country)}`,
  },
  moneyColumn({
    key: 'setup',
    title: 'Setup fee',
    fixed: true,
    micros: (row) => row.setup_micros,
    currency: (row) => row.currency,
  }),
  moneyColumn({
    key: 'month',
    title: 'Per month',
    fixed: true,
    micros: (row) => row.monthly_micros,
    currency: (row) => row.currency,
  }),
  { key: 'free', title: 'Available', align: 'end', narrow: false, render: (row) => row.free_count },
];

export function PricesPanel({ open, onClose }: { open: boolean; onClose: () => void }) {
  const query = useEndpoint(listNumberPrices, {}, { enabled: open });
  return (
    <SidePanel
      open={open}
      onClose={onClose}
      title="Prices"
      description="Prices by country, number type, and customer currency."
    >
      <section className={styles.section}>
        {query.data || query.error ? (
          <DataTable
            id="number_prices"
            label="Prices"
            grow
            columns={COLUMNS}
            rows={query.data?.data}
            rowKey={(row) => `${row.country} ${row.type} ${row.currency}`}
            error={query.error ? <FormProblem>{query.error.message}</FormProblem> : null}
            empty={<EmptyState title="No prices yet">Numbers without a price are not offered.</EmptyState>}
          />
        ) : (
          <SkeletonLines lines={4} />
        )}
      </section>
      <section className={styles.section}>
        <h3>Set a price</h3>
        {open && <PriceForm />}
      </section>
    </SidePanel>
  );
}

const MICROS = 1_000_000;

function PriceForm() {
  const { form, bind, sending, problem } = useContractForm(putNumberPrice, {
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
      setup_micros: setup_micros === '' ? 'Setup fee is required!' : null,
      monthly_micros: monthly_micros === '' ? 'Price per month is required!' : null,
    }),
    onDone: ({ data }) => toast.success(`Price set: ${NUMBER_TYPE_WORDS[data.type]}, ${countryName(data.country)}`),
  });
  const amount = (name: 'setup_micros' | 'monthly_micros', label: string) => (
    <Field
      form={form}
      name={name}
      as={NumberInput}
      label={label}
      min={0}
      max={10_000}
      decimalScale={2}
      fixedDecimalScale
      hideControls
    />
  );
  return (
    <Form {...bind} className={styles.panelForm} aria-label="Price">
      <Pair>
        <Field form={form} name="country" as={CountrySelect} label="Country" />
        <Field form={form} name="type" as={Select} label="Type" data={NUMBER_TYPES} allowDeselect={false} />
      </Pair>
      <Field form={form} name="currency" as={Select} label="Currency" data={[...CURRENCIES]} allowDeselect={false} />
      <Pair>
        {amount('setup_micros', 'Setup fee')}
        {amount('monthly_micros', 'Price per month')}
      </Pair>
      <FormFooter problem={problem}>
        <Allow needs={putNumberPrice.needs}>
          <Button type="submit" loading={sending}>
            Set price
          </Button>
        </Allow>
      </FormFooter>
    </Form>
  );
}
