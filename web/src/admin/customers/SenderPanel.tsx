import { Button, MultiSelect, Select, Switch, TextInput } from '@mantine/core';
import { type Customer, createCustomerSender } from '@parley/contract/admin/customers.ts';
import type { SMS_SENDER_TYPES as TYPES } from '@parley/contract/senders/senders.ts';
import { useMemo, useState } from 'react';
import { useContractForm } from '../../kernel/form/form.ts';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { countryOptions } from '../../ui/form/countries.ts';
import { SidePanel } from '../../ui/layout/SidePanel.tsx';
import styles from '../Admin.module.css';
import { SENDER_TYPES } from '../account_words.ts';

const FORM = 'sender-form';
const CODES: Record<(typeof TYPES)[number], string> = {
  local: 'Digits with the country code.',
  mobile: 'Digits with the country code.',
  toll_free: 'Digits with the country code.',
  short_code: '3 to 8 digits.',
  alphanumeric: 'Up to 11 letters and digits, at least one letter.',
};

export interface SenderPanelProps {
  customer: Customer;
  open: boolean;
  onClose: () => void;
}

export function SenderPanel({ customer, open, onClose }: SenderPanelProps) {
  return (
    <SidePanel
      open={open}
      onClose={onClose}
      title="Create sender"
      description={`For SMS of ${customer.company_name}, usable at once. Its owner is told by mail.`}
      actions={
        <Button type="submit" form={FORM}>
          Create sender
        </Button>
      }
    >
      {open && <Form customer={customer} onDone={onClose} />}
    </SidePanel>
  );
}

function Form({ customer, onDone }: { customer: Customer; onDone: () => void }) {
  const countries = useMemo(countryOptions, []);
  const [type, setType] = useState<(typeof TYPES)[number]>('mobile');
  const { form, onSubmit, problem } = useContractForm(createCustomerSender, {
    initial: {
      type: 'mobile' as (typeof TYPES)[number],
      code: '',
      name: '',
      countries: [] as string[],
      brand: '',
      two_way: true,
    },
    input: (body) => ({
      params: { id: customer.id },
      body: { ...body, two_way: body.two_way && body.type !== 'alphanumeric' },
    }),
    labels: { code: 'Sender' },
    invalidates: ['senders'],
    onDone: ({ data }) => {
      toast.success(`${data.code} was created for ${customer.company_name}`);
      onDone();
    },
  });
  return (
    <form id={FORM} className={styles.panelForm} onSubmit={onSubmit} noValidate>
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      <Select
        label="Kind"
        data={SENDER_TYPES.map((one) => ({ ...one }))}
        allowDeselect={false}
        key={form.key('type')}
        {...form.getInputProps('type')}
        onChange={(value) => {
          setType(value as typeof type);
          form.setFieldValue('type', value as typeof type);
        }}
      />
      <TextInput
        label="Sender"
        description={CODES[type]}
        required
        maxLength={15}
        autoComplete="off"
        data-autofocus
        key={form.key('code')}
        {...form.getInputProps('code')}
      />
      <TextInput
        label="Name"
        description="What the company calls it; people never see it."
        required
        maxLength={45}
        autoComplete="off"
        key={form.key('name')}
        {...form.getInputProps('name')}
      />
      <MultiSelect
        label="Countries"
        description="It can write to these; none chosen: to all."
        data={countries}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': 'All countries' }}
        key={form.key('countries')}
        {...form.getInputProps('countries')}
      />
      <TextInput
        label="Brand"
        description="How its owner names itself in messages that carriers demand."
        maxLength={60}
        key={form.key('brand')}
        {...form.getInputProps('brand')}
      />
      <Switch
        label="People can answer"
        description={type === 'alphanumeric' ? 'Nobody can answer a name.' : 'Answers arrive in the company’s inbox.'}
        disabled={type === 'alphanumeric'}
        key={form.key('two_way')}
        {...form.getInputProps('two_way', { type: 'checkbox' })}
      />
    </form>
  );
}
