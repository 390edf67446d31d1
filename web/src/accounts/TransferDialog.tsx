import { Modal, NumberInput, SegmentedControl } from '@mantine/core';
import { createTransfer } from '@parley/contract/billing/transfers.ts';
import type { SubAccount } from '@parley/contract/team/subaccounts.ts';
import { useContractForm } from '../kernel/form/form.ts';
import { formatMoney } from '../ui/data/format.ts';
import { toast } from '../ui/feedback/Toasts.tsx';
import { Field } from '../ui/form/Field.tsx';
import { Form } from '../ui/form/Form.tsx';
import { DialogFooter } from '../ui/form/FormParts.tsx';
import styles from './Accounts.module.css';

const MICROS = 1_000_000;

/** Moves money to or from a sub-account. */
export function TransferDialog({ account, onClose }: { account: SubAccount | null; onClose: () => void }) {
  return (
    <Modal.Root opened={account !== null} onClose={onClose} centered>
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Header>
          <Modal.Title>Transfer funds: {account?.company_name}</Modal.Title>
          <Modal.CloseButton aria-label="Close" />
        </Modal.Header>
        <Modal.Body>{account && <TransferForm account={account} onClose={onClose} />}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

interface Values extends Record<string, unknown> {
  direction: 'to' | 'from';
  amount_micros: number | string;
}
const toBody = ({ direction, amount_micros }: Values) => ({
  direction,
  amount_micros: Math.round(Number(amount_micros || 0) * MICROS),
});

function TransferForm({ account, onClose }: { account: SubAccount; onClose: () => void }) {
  const { id, company_name, currency, available_micros } = account;
  const initial: Values = { direction: 'to', amount_micros: '' };
  const { form, bind, sending, problem } = useContractForm(createTransfer, {
    initial,
    body: toBody,
    input: (values) => ({ params: { id }, body: toBody(values) }),
    check: ({ amount_micros }) => ({ amount_micros: amount_micros === '' ? 'Amount is required!' : null }),
    labels: { amount_micros: 'Amount' },
    invalidates: ['subaccounts', 'balances', 'ledger'],
    onDone: ({ data }) => {
      const amount = formatMoney(data.amount_micros, currency);
      toast.success(
        data.direction === 'to' ? `${amount} moved to ${company_name}` : `${amount} moved from ${company_name}`,
      );
      onClose();
    },
  });
  return (
    <Form {...bind} className={styles.form} aria-label="Transfer funds">
      {available_micros !== null && (
        <p className={styles.dim}>
          The balance of {company_name} is {formatMoney(available_micros, currency)}.
        </p>
      )}
      <Field
        form={form}
        name="direction"
        as={SegmentedControl}
        aria-label="Direction"
        data={[
          { value: 'to', label: 'To the sub-account' },
          { value: 'from', label: 'From the sub-account' },
        ]}
      />
      <Field
        form={form}
        name="amount_micros"
        as={NumberInput}
        label={`Amount (${currency})`}
        min={0}
        decimalScale={2}
        thousandSeparator=","
        hideControls
        data-autofocus
      />
      <DialogFooter problem={problem} sending={sending} action="Transfer funds" onClose={onClose} />
    </Form>
  );
}
