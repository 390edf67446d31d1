import { Button } from '@mantine/core';
import { createPayment, type PaymentIntent, type PaymentSettings } from '@parley/contract/billing/payments.ts';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../kernel/http/client.ts';
import { queryClient } from '../kernel/http/query.ts';
import { ADD_FUNDS_DONE, ADD_FUNDS_FAILED, PAYMENTS } from '../paths.ts';
import { CopyId } from '../ui/data/CopyId.tsx';
import { formatMoney } from '../ui/data/format.ts';
import { FormFooter } from '../ui/form/FormParts.tsx';
import styles from './Billing.module.css';
import { CardForm } from './CardForm.tsx';
import { loadCardProvider, returnUrl } from './card_provider.ts';

interface PayStepProps {
  settings: PaymentSettings;
  intent: PaymentIntent;
  onBack: () => void;
}

/** The second step of adding funds: a new card, a saved card, or the details of a bank transfer. */
export function PayStep({ settings, intent, onBack }: PayStepProps) {
  const navigate = useNavigate();
  const total = formatMoney(intent.amount_micros + intent.tax_micros, intent.currency);
  const done = `${ADD_FUNDS_DONE}?payment=${intent.id}`;
  const report = async () => {
    const { data } = await call(createPayment, { body: { payment_intent: intent.id } });
    for (const module of ['payments', 'balances', 'payment_methods'])
      void queryClient.invalidateQueries({ queryKey: [module] });
    const to = data.status === 'FAILED' ? ADD_FUNDS_FAILED : ADD_FUNDS_DONE;
    await navigate({ to, search: { payment: intent.id } as never });
  };
  if (intent.client_secret === null) return <TransferDetails intent={intent} total={total} onBack={onBack} />;
  const shared = { settings, intent, total, returnPath: done, report, onBack };
  return intent.provider_method_id === null ? (
    <CardForm
      settings={settings}
      client_secret={intent.client_secret}
      kind="payment"
      action={`Pay ${total}`}
      returnPath={done}
      onConfirmed={report}
      onCancel={onBack}
    />
  ) : (
    <SavedCard {...shared} />
  );
}

interface SavedCardProps extends PayStepProps {
  total: string;
  returnPath: string;
  report: () => Promise<void>;
}

function SavedCard({ settings, intent, total, returnPath, report, onBack }: SavedCardProps) {
  const navigate = useNavigate();
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const pay = async () => {
    setSending(true);
    setProblem(null);
    try {
      const provider = await loadCardProvider(settings);
      const { error } = await provider.confirmPayment({
        clientSecret: intent.client_secret!,
        confirmParams: { return_url: returnUrl(returnPath), payment_method: intent.provider_method_id! },
        redirect: 'if_required',
      });
      if (error) await navigate({ to: ADD_FUNDS_FAILED, search: { payment: intent.id } as never });
      else await report();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : 'The card could not be charged. Try again.');
    } finally {
      setSending(false);
    }
  };
  return (
    <div className={styles.form}>
      <p>Your bank may ask you to confirm the payment.</p>
      <FormFooter problem={problem}>
        <Button loading={isSending} onClick={() => void pay()}>
          Pay {total}
        </Button>
        <Button variant="default" onClick={onBack} disabled={isSending}>
          Back
        </Button>
      </FormFooter>
    </div>
  );
}

function TransferDetails({ intent, total, onBack }: { intent: PaymentIntent; total: string; onBack: () => void }) {
  const navigate = useNavigate();
  return (
    <div className={styles.form}>
      <p>Transfer the amount and include the reference, so that we can match your payment.</p>
      <dl className={styles.facts}>
        <dt>Amount</dt>
        <dd>{total}</dd>
        <dt>Reference</dt>
        <dd>
          <CopyId value={intent.reference ?? ''} />
        </dd>
        <dt>Bank details</dt>
        <dd>{intent.bank_details || 'Contact support for the bank details.'}</dd>
      </dl>
      <FormFooter problem={null}>
        <Button onClick={() => void navigate({ to: PAYMENTS })}>View payments</Button>
        <Button variant="default" onClick={onBack}>
          Back
        </Button>
      </FormFooter>
    </div>
  );
}
