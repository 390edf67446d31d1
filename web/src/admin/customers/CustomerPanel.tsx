import { Button, Checkbox, NumberInput, TagsInput, Textarea, TextInput } from '@mantine/core';
import { type Customer, updateCustomer } from '@parley/contract/admin/customers.ts';
import { DEFAULT_IMPORT_ROWS, MAX_IMPORT_ROWS } from '@parley/contract/audiences/limits.ts';
import { CHANNELS } from '@parley/contract/channels/names.ts';
import { useState } from 'react';
import { channelLabel } from '../../channels/index.ts';
import { type ContractForm, useContractForm } from '../../kernel/form/form.ts';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { CountrySelect } from '../../ui/form/CountrySelect.tsx';
import { Field } from '../../ui/form/Field.tsx';
import { Form } from '../../ui/form/Form.tsx';
import { FormProblem } from '../../ui/form/FormParts.tsx';
import { SidePanel } from '../../ui/layout/SidePanel.tsx';
import styles from '../Admin.module.css';

const FORM = 'customer-form';
const MICROS = 1_000_000;

interface CustomerPanelProps {
  customer: Customer;
  open: boolean;
  onClose: () => void;
}

export function CustomerPanel({ customer, open, onClose }: CustomerPanelProps) {
  return (
    <SidePanel
      open={open}
      onClose={onClose}
      title={`Edit ${customer.company_name}`}
      description="Settings that only operators can change. The customer sees the changes in the audit log."
      actions={
        <Button type="submit" form={FORM}>
          Save account
        </Button>
      }
    >
      {open && <CustomerForm customer={customer} onDone={onClose} />}
    </SidePanel>
  );
}

const IMPORT_ROWS = { min: DEFAULT_IMPORT_ROWS, max: MAX_IMPORT_ROWS, allowDecimal: false, thousandSeparator: ',' };

const initialValues = (customer: Customer) => ({
  company_name: customer.company_name,
  country_code: customer.country_code,
  channels: customer.channels as (typeof CHANNELS)[number][],
  tags: customer.tags,
  // In whole currency units, as operators enter it.
  credit_limit_micros: (customer.credit_limit_micros / MICROS) as number | string,
  tax_rate: customer.tax_rate as number | string,
  import_rows: customer.import_rows as number | string,
  reason: '',
});

type Values = ReturnType<typeof initialValues>;

const toBody = ({ credit_limit_micros, tax_rate, import_rows, ...rest }: Values) => ({
  ...rest,
  import_rows: Number(import_rows || 0),
  tax_rate: Number(tax_rate || 0),
  credit_limit_micros: Math.round(Number(credit_limit_micros || 0) * MICROS),
});

function CustomerForm({ customer, onDone }: { customer: Customer; onDone: () => void }) {
  const { form, bind, problem } = useContractForm(updateCustomer, {
    initial: initialValues(customer),
    body: toBody,
    input: (values) => ({ params: { id: customer.id }, body: toBody(values) }),
    labels: {
      company_name: 'Company',
      country_code: 'Country',
      credit_limit_micros: 'Credit limit',
      tax_rate: 'Tax rate',
      import_rows: 'Rows per import',
    },
    onDone: ({ data }) => {
      toast.success(`${data.company_name} was saved`);
      onDone();
    },
  });
  return (
    <Form {...bind} id={FORM} className={styles.panelForm}>
      <FormProblem>{problem}</FormProblem>
      <Field form={form} name="company_name" as={TextInput} label="Company" maxLength={100} data-autofocus />
      <Field form={form} name="country_code" as={CountrySelect} label="Country" />
      <Field
        form={form}
        name="channels"
        as={Checkbox.Group}
        label="Channels"
        description="The channels the company can use. They appear in its menu."
      >
        <div className={styles.checks}>
          {CHANNELS.map((channel) => (
            <Checkbox key={channel} value={channel} label={channelLabel(channel)} />
          ))}
        </div>
      </Field>
      <TagsField form={form} initial={customer.tags} />
      <Field
        form={form}
        name="credit_limit_micros"
        as={NumberInput}
        label={`Credit limit (${customer.currency})`}
        description="How far below zero the balance can go."
        min={0}
        max={1_000_000}
        decimalScale={2}
        thousandSeparator=","
      />
      <Field
        form={form}
        name="tax_rate"
        as={NumberInput}
        label="Tax rate (%)"
        description="0 applies the VAT rules of the company’s country."
        min={0}
        max={100}
        decimalScale={3}
      />
      <Field
        form={form}
        name="import_rows"
        as={NumberInput}
        label="Rows per import"
        description="The maximum number of rows in a contact file."
        {...IMPORT_ROWS}
      />
      <Field
        form={form}
        name="reason"
        as={Textarea}
        label="Reason"
        description="Shown in the audit log."
        maxLength={300}
        autosize
        minRows={2}
      />
    </Form>
  );
}

/** Controlled because it normalizes tags as the operator enters them. */
function TagsField({ form, initial }: { form: ContractForm<Values>['form']; initial: string[] }) {
  const [tags, setTags] = useState(initial);
  const error = Object.entries(form.errors).find(([path]) => path === 'tags' || path.startsWith('tags.'))?.[1];
  return (
    <TagsInput
      label="Tags"
      description="Capital letters, digits, and underscores. PAID0 gives the account a 30-day trial from sign-up."
      maxTags={20}
      clearable
      clearButtonProps={{ 'aria-label': 'Clear all tags' }}
      value={tags}
      error={error}
      onChange={(entered) => {
        const next = [...new Set(entered.map((tag) => tag.trim().toUpperCase().replaceAll(' ', '_')))];
        setTags(next);
        form.setFieldValue('tags', next);
      }}
    />
  );
}
