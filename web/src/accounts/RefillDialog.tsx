import { Modal, NumberInput, Switch } from '@mantine/core';
import { getRefill, type Refill, updateRefill } from '@parley/contract/billing/refills.ts';
import type { SubAccount } from '@parley/contract/team/subaccounts.ts';
import { useContractForm } from '../kernel/form/form.ts';
import { useEndpoint } from '../kernel/http/query.ts';
import { DateTime } from '../ui/data/DateTime.tsx';
import { formatMoney } from '../ui/data/format.ts';
import { ErrorState } from '../ui/feedback/ErrorState.tsx';
import { Notice } from '../ui/feedback/Notice.tsx';
import { SkeletonFields } from '../ui/feedback/Skeletons.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';
import { Field } from '../ui/form/Field.tsx';
import { Form } from '../ui/form/Form.tsx';
import { DialogFooter, Pair } from '../ui/form/FormParts.tsx';
import styles from './Accounts.module.css';

const MICROS = 1_000_000;

/** Refills a sub-account from the company's balance. */
export function RefillDialog({ account, onClose }: { account: SubAccount | null; onClose: () => void }) {
  return (
    <Modal.Root opened={account !== null} onClose={onClose} centered>
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Header>
          <Modal.Title>Automatic refill: {account?.company_name}</Modal.Title>
          <Modal.CloseButton aria-label="Close" />
        </Modal.Header>
        <Modal.Body>{account && <Loaded account={account} onClose={onClose} />}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

interface Props {
  account: SubAccount;
  onClose: () => void;
}

function Loaded({ account, onClose }: Props) {
  const query = useEndpoint(getRefill, { params: { id: account.id } });
  if (query.data) return <RefillForm account={account} refill={query.data.data} onClose={onClose} />;
  if (!query.error) return <SkeletonFields count={4} />;
  return (
    <ErrorState
      title="The automatic refill could not be loaded"
      onRetry={() => void query.refetch()}
      retrying={query.isFetching}
    >
      {query.error.message}
    </ErrorState>
  );
}

interface Values extends Record<string, unknown> {
  enabled: boolean;
  threshold_micros: number | string;
  amount_micros: number | string;
  daily_limit_micros: number | string;
}
const toMicros = (amount: number | string): number => Math.round(Number(amount || 0) * MICROS);
const toBody = (values: Values) => ({
  enabled: values.enabled,
  threshold_micros: toMicros(values.threshold_micros),
  amount_micros: toMicros(values.amount_micros),
  daily_limit_micros: toMicros(values.daily_limit_micros),
});

function RefillForm({ account, refill, onClose }: Props & { refill: Refill }) {
  const { id, company_name, currency } = account;
  const initial: Values = {
    enabled: refill.enabled,
    threshold_micros: refill.threshold_micros / MICROS,
    amount_micros: refill.amount_micros / MICROS,
    daily_limit_micros: refill.daily_limit_micros / MICROS,
  };
  const { form, bind, sending, problem } = useContractForm(updateRefill, {
    initial,
    body: toBody,
    input: (values) => ({ params: { id }, body: toBody(values) }),
    labels: {
      threshold_micros: 'Balance falls below',
      amount_micros: 'Amount',
      daily_limit_micros: 'Limit per day',
    },
    invalidates: ['subaccounts', 'balances', 'ledger'],
    onDone: ({ data }) => {
      toast.success(data.enabled ? `Automatic refill of ${company_name} saved` : 'Automatic refill turned off');
      onClose();
    },
  });
  const amount = { as: NumberInput, min: 0, decimalScale: 2, thousandSeparator: ',', hideControls: true } as const;
  return (
    <Form {...bind} className={styles.form} aria-label="Automatic refill">
      <StateNotice refill={refill} currency={currency} />
      <Field
        form={form}
        name="enabled"
        as={Switch}
        type="checkbox"
        label="Refill from your balance"
        description="Moves money to the sub-account when its balance is low."
      />
      <Pair>
        <Field {...amount} form={form} name="threshold_micros" label={`Balance falls below (${currency})`} />
        <Field {...amount} form={form} name="amount_micros" label={`Amount (${currency})`} />
      </Pair>
      <Field
        {...amount}
        form={form}
        name="daily_limit_micros"
        label={`Limit per day (${currency})`}
        description="Days are in UTC. If one amount is not enough, a refill moves a multiple of it."
      />
      <DialogFooter problem={problem} sending={sending} action="Save automatic refill" onClose={onClose} />
    </Form>
  );
}

function StateNotice({ refill, currency }: { refill: Refill; currency: SubAccount['currency'] }) {
  if (!refill.enabled) return null;
  if (refill.stop_reason !== null)
    return (
      <Notice tone="fail">
        Refills have stopped because your balance was too low. Add funds, then save to start them again.
      </Notice>
    );
  if (refill.next_date !== null && new Date(`${refill.next_date}Z`) > new Date())
    return (
      <Notice tone="wait">
        The limit per day is reached. The next refill can start on <DateTime value={refill.next_date} />.
      </Notice>
    );
  if (refill.today_micros === 0) return null;
  return <Notice tone="info">{formatMoney(refill.today_micros, currency)} moved today.</Notice>;
}
