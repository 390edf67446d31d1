import { Button, Checkbox, NumberInput, TagsInput, Textarea, TextInput } from '@mantine/core';
import { type Customer, updateCustomer } from '@parley/contract/admin/customers.ts';
import { CHANNELS } from '@parley/contract/channels/names.ts';
import { useState } from 'react';
import { useContractForm } from '../../kernel/form/form.ts';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { CountrySelect } from '../../ui/form/CountrySelect.tsx';
import { SidePanel } from '../../ui/layout/SidePanel.tsx';
import styles from '../Admin.module.css';

const FORM = 'customer-form';
const MICROS = 1_000_000;
const CHANNEL_WORDS = { SMS: 'SMS', VIBER: 'Viber', WHATSAPP: 'WhatsApp' } as const;

export interface CustomerPanelProps {
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
      description="What only operators may change. The customer sees it in their audit log."
      actions={
        <Button type="submit" form={FORM}>
          Save account
        </Button>
      }
    >
      {open && <Form customer={customer} onDone={onClose} />}
    </SidePanel>
  );
}

function Form({ customer, onDone }: { customer: Customer; onDone: () => void }) {
  const { form, onSubmit, problem } = useContractForm(updateCustomer, {
    initial: {
      company_name: customer.company_name,
      country_code: customer.country_code,
      channels: customer.channels as (typeof CHANNELS)[number][],
      tags: customer.tags,
      credit_limit_micros: customer.credit_limit_micros,
      reason: '',
    },
    input: (body) => ({ params: { id: customer.id }, body }),
    labels: { company_name: 'Company', country_code: 'Country', credit_limit_micros: 'Credit limit' },
    onDone: ({ data }) => {
      toast.success(`${data.company_name} was saved`);
      onDone();
    },
  });
  const [tags, setTags] = useState(customer.tags);
  const tagError = Object.entries(form.errors).find(([path]) => path === 'tags' || path.startsWith('tags.'))?.[1];
  return (
    <form id={FORM} className={styles.panelForm} onSubmit={onSubmit} noValidate>
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      <TextInput
        label="Company"
        required
        maxLength={100}
        data-autofocus
        key={form.key('company_name')}
        {...form.getInputProps('company_name')}
      />
      <CountrySelect label="Country" required key={form.key('country_code')} {...form.getInputProps('country_code')} />
      <Checkbox.Group
        label="Channels"
        description="What the company may use; the menu shows these."
        key={form.key('channels')}
        {...form.getInputProps('channels')}
      >
        <div className={styles.checks}>
          {CHANNELS.map((channel) => (
            <Checkbox key={channel} value={channel} label={CHANNEL_WORDS[channel]} />
          ))}
        </div>
      </Checkbox.Group>
      <TagsInput
        label="Tags"
        description="Capitals, digits and _. PAID0 puts the account into a trial of 30 days from its creation."
        maxTags={20}
        clearable
        clearButtonProps={{ 'aria-label': 'Take all tags away' }}
        value={tags}
        error={tagError}
        onChange={(given) => {
          const next = [...new Set(given.map((tag) => tag.trim().toUpperCase().replaceAll(' ', '_')))];
          setTags(next);
          form.setFieldValue('tags', next);
        }}
      />
      <NumberInput
        label={`Credit limit (${customer.currency})`}
        description="How far below zero the balance may go."
        min={0}
        max={1_000_000}
        decimalScale={2}
        thousandSeparator=","
        key={form.key('credit_limit_micros')}
        {...form.getInputProps('credit_limit_micros')}
        defaultValue={customer.credit_limit_micros / MICROS}
        onChange={(value) => form.setFieldValue('credit_limit_micros', Math.round(Number(value || 0) * MICROS))}
      />
      <Textarea
        label="Reason"
        description="For the log."
        maxLength={300}
        autosize
        minRows={2}
        key={form.key('reason')}
        {...form.getInputProps('reason')}
      />
    </form>
  );
}
