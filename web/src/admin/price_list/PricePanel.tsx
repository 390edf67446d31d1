import { Button, NumberInput, Select, TextInput } from '@mantine/core';
import { createPrice, type ListPrice, updatePrice } from '@parley/contract/admin/prices.ts';
import { CHANNELS, type ChannelName, PHONE_CHANNEL } from '@parley/contract/channels/names.ts';
import { CURRENCIES } from '@parley/contract/common.ts';
import { PURPOSES, type Purpose } from '@parley/contract/messages/content.ts';
import { useState } from 'react';
import { purposeLabel } from '../../billing/rate_columns.tsx';
import { channelLabel } from '../../channels/index.ts';
import { useContractForm } from '../../kernel/form/form.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { CountrySelect } from '../../ui/form/CountrySelect.tsx';
import { Field } from '../../ui/form/Field.tsx';
import { Form } from '../../ui/form/Form.tsx';
import { FormProblem, Pair } from '../../ui/form/FormParts.tsx';
import { SidePanel } from '../../ui/layout/SidePanel.tsx';
import styles from '../Admin.module.css';
import { NewPlanForm } from '../price_plans/PlanForm.tsx';
import { priceName } from './price_words.ts';

const FORM = 'price-form';
const MICROS = 1_000_000;
const PRICE = { min: 0, max: 10_000, decimalScale: 6, hideControls: true } as const;
const toMicros = (price: number | string): number => Math.round(Number(price) * MICROS);
const checkPrice = ({ price_micros }: { price_micros: number | string }) => ({
  price_micros: price_micros === '' ? 'Price is required!' : null,
});

const toTarget = ({ channel, country, mccmnc, purpose, currency }: ListPrice, price_micros: number | null) => ({
  ...{ channel, country, mccmnc, purpose, currency, price_micros },
});

interface PricePanelProps {
  open: boolean;
  /** Null to add a price. */
  price: ListPrice | null;
  /** The account with this custom price; absent for list prices. */
  account_id?: string;
  onClose: () => void;
}

export function PricePanel({ open, price, account_id, onClose }: PricePanelProps) {
  const endpoint = price ? updatePrice : createPrice;
  return (
    <SidePanel
      open={open}
      onClose={onClose}
      title={price ? priceName(price) : 'Add price'}
      description="Applies to messages accepted from now on."
      actions={
        open && (
          <Allow needs={endpoint.needs}>
            <Button type="submit" form={FORM}>
              {price ? 'Save price' : 'Add price'}
            </Button>
          </Allow>
        )
      }
    >
      {open &&
        (price ? (
          <EditForm key={price.id} price={price} onDone={onClose} />
        ) : (
          <AddForm account_id={account_id ?? null} onDone={onClose} />
        ))}
    </SidePanel>
  );
}

function EditForm({ price, onDone }: { price: ListPrice; onDone: () => void }) {
  const { form, bind, problem } = useContractForm(updatePrice, {
    initial: { price_micros: (price.price_micros / MICROS) as number | string },
    input: (values) => ({ params: { id: price.id }, body: { price_micros: toMicros(values.price_micros) } }),
    body: (values) => ({ price_micros: toMicros(values.price_micros) }),
    check: checkPrice,
    labels: { price_micros: 'Price' },
    onDone: () => {
      toast.success('The price was saved');
      onDone();
    },
  });
  return (
    <>
      <Form {...bind} id={FORM} className={styles.panelForm}>
        <FormProblem>{problem}</FormProblem>
        <Field
          form={form}
          name="price_micros"
          as={NumberInput}
          label={`Price (${price.currency})`}
          {...PRICE}
          data-autofocus
        />
      </Form>
      {price.account_id === null && (
        <section className={styles.section}>
          <h3>Or schedule the change</h3>
          <NewPlanForm
            currency={price.currency}
            target={(price_micros) => ({ price: toTarget(price, price_micros) })}
            label="Plan this price"
          />
        </section>
      )}
    </>
  );
}

function AddForm({ account_id, onDone }: { account_id: string | null; onDone: () => void }) {
  const [channel, setChannel] = useState<string>(PHONE_CHANNEL);
  const { form, bind, problem } = useContractForm(createPrice, {
    initial: {
      channel: PHONE_CHANNEL as ChannelName,
      country: 'US',
      mccmnc: '',
      purpose: null as Purpose | null,
      currency: 'USD' as (typeof CURRENCIES)[number],
      price_micros: '' as number | string,
    },
    body: ({ mccmnc, price_micros, purpose, ...rest }) => ({
      ...rest,
      account_id,
      purpose: rest.channel === PHONE_CHANNEL ? null : purpose,
      mccmnc: mccmnc.trim() || null,
      price_micros: toMicros(price_micros),
    }),
    check: checkPrice,
    labels: { price_micros: 'Price', mccmnc: 'Network code' },
    onDone: () => {
      toast.success('The price was added');
      onDone();
    },
  });
  return (
    <Form {...bind} id={FORM} className={styles.panelForm}>
      <FormProblem>{problem}</FormProblem>
      <Field
        form={form}
        name="channel"
        as={Select}
        label="Channel"
        data={CHANNELS.map((value) => ({ value, label: channelLabel(value) }))}
        allowDeselect={false}
        onChange={(value) => setChannel(String(value ?? PHONE_CHANNEL))}
      />
      <Field form={form} name="country" as={CountrySelect} label="Country" />
      <Field
        form={form}
        name="mccmnc"
        as={TextInput}
        label="Network code"
        description="MCC and MNC, such as 26202. Leave empty to apply to all networks in the country."
        inputMode="numeric"
        maxLength={6}
      />
      {channel !== PHONE_CHANNEL && (
        <Field
          form={form}
          name="purpose"
          as={Select}
          label="Purpose"
          placeholder="All purposes"
          data={PURPOSES.map((value) => ({ value, label: purposeLabel(value) }))}
          clearable
          clearButtonProps={{ 'aria-label': 'All purposes' }}
        />
      )}
      <Pair>
        <Field form={form} name="currency" as={Select} label="Currency" data={[...CURRENCIES]} allowDeselect={false} />
        <Field form={form} name="price_micros" as={NumberInput} label="Price" {...PRICE} />
      </Pair>
    </Form>
  );
}
