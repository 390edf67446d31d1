import { Button, Checkbox, NumberInput, Radio, Stack } from '@mantine/core';
import { MAXIMUM_TOP_UP, taxAmount } from '@parley/contract/billing/amounts.ts';
import { listPaymentMethods, type PaymentMethod } from '@parley/contract/billing/payment_methods.ts';
import {
  createPaymentIntent,
  getPaymentSettings,
  type PaymentIntent,
  type PaymentSettings,
} from '@parley/contract/billing/payments.ts';
import { useState } from 'react';
import { useContractForm } from '../kernel/form/form.ts';
import { useEndpoint } from '../kernel/http/query.ts';
import { formatMoney } from '../ui/data/format.ts';
import { ErrorState } from '../ui/feedback/ErrorState.tsx';
import { PageSkeleton } from '../ui/feedback/PageSkeleton.tsx';
import { Field } from '../ui/form/Field.tsx';
import { Form } from '../ui/form/Form.tsx';
import { FormFooter } from '../ui/form/FormParts.tsx';
import { PageHeader } from '../ui/layout/PageHeader.tsx';
import styles from './Billing.module.css';
import { cardLabel } from './cards.ts';
import { PayStep } from './PayStep.tsx';

const MICROS = 1_000_000;
const NEW_CARD = 'new';
const TRANSFER = 'transfer';

export default function AddFundsPage() {
  const settings = useEndpoint(getPaymentSettings);
  const methods = useEndpoint(listPaymentMethods);
  const [intent, setIntent] = useState<PaymentIntent | null>(null);
  const failed = settings.error ?? methods.error;
  const retry = () => {
    void settings.refetch();
    void methods.refetch();
  };
  return (
    <>
      <PageHeader title="Add funds" description="Pay by card or bank transfer. Messages are charged to your balance." />
      {failed && (
        <ErrorState title="The payment settings could not be loaded" onRetry={retry}>
          {failed.message}
        </ErrorState>
      )}
      {!failed && !(settings.data && methods.data) && <PageSkeleton />}
      {settings.data && methods.data && !intent && (
        <AmountForm settings={settings.data.data} cards={methods.data.data} onStarted={setIntent} />
      )}
      {settings.data && intent && (
        <PayStep settings={settings.data.data} intent={intent} onBack={() => setIntent(null)} />
      )}
    </>
  );
}

interface AmountFormProps {
  settings: PaymentSettings;
  cards: readonly PaymentMethod[];
  onStarted: (intent: PaymentIntent) => void;
}

interface Values extends Record<string, unknown> {
  amount_micros: number | string;
  source: string;
  save_card: boolean;
}

const toMicros = (amount: number | string): number => Math.round(Number(amount || 0) * MICROS);

function toBody({ amount_micros, source, save_card }: Values) {
  const is_saved = source !== NEW_CARD && source !== TRANSFER;
  return {
    amount_micros: toMicros(amount_micros),
    type: source === TRANSFER ? ('Bank Transfer' as const) : ('Credit Card' as const),
    ...(is_saved ? { payment_method_id: source } : {}),
    save_card: source === NEW_CARD && save_card,
  };
}

function AmountForm({ settings, cards, onStarted }: AmountFormProps) {
  const { currency, minimum_micros, suggested_micros, tax_rate } = settings;
  const first = settings.cards ? (cards.find((card) => card.is_default)?.id ?? NEW_CARD) : TRANSFER;
  const initial: Values = {
    amount_micros: suggested_micros / MICROS,
    source: first,
    save_card: settings.saves_cards,
  };
  const [shown, setShown] = useState(initial);
  const smallest = formatMoney(minimum_micros, currency);
  const { form, bind, sending, problem } = useContractForm(createPaymentIntent, {
    initial,
    body: toBody,
    check: ({ amount_micros }) => ({
      amount_micros:
        toMicros(amount_micros) < minimum_micros || toMicros(amount_micros) > MAXIMUM_TOP_UP
          ? `must be between ${smallest} and ${formatMoney(MAXIMUM_TOP_UP, currency)}`
          : null,
    }),
    labels: { amount_micros: 'Amount' },
    guard: false,
    onChange: setShown,
    onDone: ({ data }) => onStarted(data),
  });
  const amount = toMicros(shown.amount_micros);
  return (
    <Form {...bind} className={styles.form} aria-label="Add funds">
      <Field
        form={form}
        name="amount_micros"
        as={NumberInput}
        label={`Amount (${currency})`}
        description={`At least ${smallest}`}
        min={0}
        decimalScale={2}
        thousandSeparator=","
        hideControls
      />
      <Field form={form} name="source" as={Radio.Group} label="Payment method" optional={false}>
        <Stack gap="md" mt="xs">
          {settings.cards && cards.map((card) => <Radio key={card.id} value={card.id} label={cardLabel(card)} />)}
          {settings.cards && <Radio value={NEW_CARD} label={cards.length > 0 ? 'Another card' : 'Card'} />}
          <Radio value={TRANSFER} label="Bank transfer" description="Takes one to three business days." />
        </Stack>
      </Field>
      {shown.source === NEW_CARD && (
        <Field form={form} name="save_card" as={Checkbox} type="checkbox" label="Save this card for future payments" />
      )}
      <Totals amount={amount} tax={taxAmount(amount, tax_rate)} settings={settings} />
      <FormFooter problem={problem}>
        <Button type="submit" loading={sending}>
          Continue to payment
        </Button>
      </FormFooter>
    </Form>
  );
}

function Totals({ amount, tax, settings }: { amount: number; tax: number; settings: PaymentSettings }) {
  const { currency, tax_rate, reverse_charge } = settings;
  return (
    <>
      <dl className={styles.total} aria-label="Total">
        <dt>Added to your balance</dt>
        <dd className="tabular">{formatMoney(amount, currency)}</dd>
        {tax_rate > 0 && (
          <>
            <dt>VAT, {tax_rate}%</dt>
            <dd className="tabular">{formatMoney(tax, currency)}</dd>
          </>
        )}
        <dt className={styles.sum}>You pay</dt>
        <dd className={`tabular ${styles.sum}`}>{formatMoney(amount + tax, currency)}</dd>
      </dl>
      {reverse_charge && <p className={styles.dim}>Reverse charge: your company accounts for the VAT.</p>}
    </>
  );
}
