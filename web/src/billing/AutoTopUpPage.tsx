import { Button, NumberInput, SegmentedControl, Select, Switch } from '@mantine/core';
import { type AutoTopUp, getAutoTopUp, updateAutoTopUp } from '@parley/contract/billing/low_balance.ts';
import { listPaymentMethods, type PaymentMethod } from '@parley/contract/billing/payment_methods.ts';
import { IconCreditCard } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useContractForm } from '../kernel/form/form.ts';
import { useEndpoint } from '../kernel/http/query.ts';
import { RecordPage } from '../kernel/record/RecordPage.tsx';
import { useSession } from '../kernel/session/session.tsx';
import { BILLING } from '../paths.ts';
import { DateTime } from '../ui/data/DateTime.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { Notice } from '../ui/feedback/Notice.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';
import { Field } from '../ui/form/Field.tsx';
import { Form } from '../ui/form/Form.tsx';
import { Pair } from '../ui/form/FormParts.tsx';
import { SaveBar } from '../ui/form/SaveBar.tsx';
import styles from './Billing.module.css';
import { BillingLayout } from './BillingLayout.tsx';
import { cardLabel } from './cards.ts';

const MICROS = 1_000_000;

/** Charges a saved card when the balance is low, within limits. */
export default function AutoTopUpPage() {
  const { account } = useSession();
  const query = useEndpoint(getAutoTopUp, { params: { id: account.id } });
  const cards = useEndpoint(listPaymentMethods).data?.data;
  return (
    <BillingLayout title="Auto top-up" description="Charge a saved card when the balance is low, within your limits.">
      <RecordPage query={query} noun="setting">
        {(settings) =>
          cards && (
            <>
              <StateNotice settings={settings} />
              {cards.length > 0 ? (
                <SettingsForm key={settings.payment_method_id} settings={settings} cards={cards} />
              ) : (
                <EmptyState
                  icon={IconCreditCard}
                  title="No saved card"
                  action={
                    <Button component={Link} to={BILLING} variant="default">
                      Add card
                    </Button>
                  }
                >
                  Save a card to top up automatically when the balance is low.
                </EmptyState>
              )}
            </>
          )
        }
      </RecordPage>
    </BillingLayout>
  );
}

const STOP_TEXTS: Readonly<Record<NonNullable<AutoTopUp['stop_reason']>, string>> = {
  card_refused:
    'Auto top-up has stopped because the card was declined. Check the card or choose another one, then save.',
  card_deleted: 'Auto top-up has stopped because its card was deleted. Choose another card and save.',
  unusual_spending:
    'Auto top-up has stopped because messages cost far more than usual. Check the traffic in Insights, then save to ' +
    'continue.',
};

function StateNotice({ settings }: { settings: AutoTopUp }) {
  if (settings.stop_reason !== null)
    return (
      <Notice tone="fail" className={styles.notice}>
        {STOP_TEXTS[settings.stop_reason]}
      </Notice>
    );
  if (settings.enabled && settings.next_date !== null && new Date(`${settings.next_date}Z`) > new Date())
    return (
      <Notice tone="info" className={styles.notice}>
        The next top-up can start on <DateTime value={settings.next_date} />.
      </Notice>
    );
  return null;
}

interface Values extends Record<string, unknown> {
  enabled: boolean;
  threshold_micros: number | string;
  mode: 'fixed' | 'target';
  amount_micros: number | string;
  target_micros: number | string;
  payment_method_id: string | null;
  daily_limit: number | string;
  monthly_limit_micros: number | string;
}

const toMicros = (amount: number | string): number => Math.round(Number(amount || 0) * MICROS);
/** The amount is stored in both modes, so that it is still there when the user switches back. */
const toBody = (values: Values) => ({
  enabled: values.enabled,
  threshold_micros: toMicros(values.threshold_micros),
  amount_micros: toMicros(values.amount_micros),
  target_micros: values.mode === 'target' ? toMicros(values.target_micros) : null,
  payment_method_id: values.payment_method_id ?? '',
  daily_limit: Number(values.daily_limit || 0),
  monthly_limit_micros: toMicros(values.monthly_limit_micros),
});

function SettingsForm({ settings, cards }: { settings: AutoTopUp; cards: readonly PaymentMethod[] }) {
  const { account } = useSession();
  const { currency } = account;
  const fallback = cards.find((card) => card.is_default) ?? cards[0];
  const initial: Values = {
    enabled: settings.enabled,
    threshold_micros: settings.threshold_micros / MICROS,
    mode: settings.target_micros === null ? 'fixed' : 'target',
    amount_micros: settings.amount_micros / MICROS,
    target_micros: (settings.target_micros ?? settings.threshold_micros + settings.amount_micros) / MICROS,
    payment_method_id: settings.payment_method_id ?? fallback?.id ?? null,
    daily_limit: settings.daily_limit,
    monthly_limit_micros: settings.monthly_limit_micros / MICROS,
  };
  const { form, bind, saveBar } = useContractForm(updateAutoTopUp, {
    initial,
    body: toBody,
    input: (values) => ({ params: { id: account.id }, body: toBody(values) }),
    labels: {
      threshold_micros: 'Balance falls below',
      amount_micros: 'Amount',
      target_micros: 'Balance after a top-up',
      monthly_limit_micros: 'Limit per month',
      daily_limit: 'Top-ups per day',
      payment_method_id: 'Card',
    },
    onDone: () => toast.success('Auto top-up saved'),
  });
  const [mode, setMode] = useState(initial.mode);
  form.watch('mode', ({ value }) => setMode(value));
  const amount = { as: NumberInput, min: 0, decimalScale: 2, thousandSeparator: ',', hideControls: true } as const;
  return (
    <Form {...bind} className={styles.form} aria-label="Auto top-up">
      <Field form={form} name="enabled" as={Switch} type="checkbox" label="Top up automatically" />
      <Field
        form={form}
        name="mode"
        as={SegmentedControl}
        aria-label="Amount of a top-up"
        data={[
          { value: 'fixed', label: 'Fixed amount' },
          { value: 'target', label: 'Target balance' },
        ]}
      />
      <Pair>
        <Field
          {...amount}
          form={form}
          name="threshold_micros"
          optional={false}
          label={`Balance falls below (${currency})`}
        />
        {mode === 'fixed' ? (
          <Field {...amount} form={form} name="amount_micros" label={`Amount (${currency})`} />
        ) : (
          <Field {...amount} form={form} name="target_micros" label={`Balance after a top-up (${currency})`} />
        )}
      </Pair>
      <Field
        form={form}
        name="payment_method_id"
        as={Select}
        label="Card"
        data={cards.map((card) => ({ value: card.id, label: cardLabel(card) }))}
        allowDeselect={false}
      />
      <Pair>
        <Field form={form} name="daily_limit" as={NumberInput} label="Top-ups per day" min={1} max={20} />
        <Field {...amount} form={form} name="monthly_limit_micros" label={`Limit per month (${currency})`} />
      </Pair>
      <p className={styles.dim}>
        Top-ups are at least ten minutes apart. VAT is added to the amount. Auto top-up stops, and owners get an email,
        if the card is declined or messages cost far more than usual.
      </p>
      <SaveBar {...saveBar} save="Save auto top-up" />
    </Form>
  );
}
