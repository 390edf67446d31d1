import { Button, NumberInput, TextInput } from '@mantine/core';
import type { Customer } from '@parley/contract/admin/customers.ts';
import { correctBalance } from '@parley/contract/admin/payments.ts';
import { useState } from 'react';
import { useContractForm } from '../../kernel/form/form.ts';
import { formatMoney } from '../../ui/data/format.ts';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { Field } from '../../ui/form/Field.tsx';
import { Form } from '../../ui/form/Form.tsx';
import { FormProblem } from '../../ui/form/FormParts.tsx';
import { SidePanel } from '../../ui/layout/SidePanel.tsx';
import styles from '../Admin.module.css';
import { ApprovalNotice } from '../payments/ApprovalNotice.tsx';
import { needsApproval, usePropose } from '../payments/proposals.ts';

const FORM = 'correction-form';
const MICROS = 1_000_000;

interface CorrectionPanelProps {
  customer: Customer;
  open: boolean;
  onClose: () => void;
}

/** Takes money from a balance that was credited by mistake. */
export function CorrectionPanel({ customer, open, onClose }: CorrectionPanelProps) {
  return (
    <SidePanel
      open={open}
      onClose={onClose}
      title="Correct balance"
      description={`From the balance of ${customer.company_name}. The customer sees the entry and its reason.`}
      actions={
        <Button type="submit" form={FORM}>
          Correct balance
        </Button>
      }
    >
      {open && <CorrectionForm customer={customer} onDone={onClose} />}
    </SidePanel>
  );
}

interface Values extends Record<string, unknown> {
  amount_micros: number | string;
  reason: string;
  reference: string;
}
const toBody = ({ amount_micros, ...rest }: Values) => ({
  ...rest,
  amount_micros: Math.round(Number(amount_micros || 0) * MICROS),
});

function CorrectionForm({ customer, onDone }: { customer: Customer; onDone: () => void }) {
  const [isRefused, setRefused] = useState(false);
  const propose = usePropose(onDone);
  const initial: Values = { amount_micros: '', reason: '', reference: '' };
  const { form, bind, problem } = useContractForm(correctBalance, {
    initial,
    body: toBody,
    input: (values) => ({ params: { id: customer.id }, body: toBody(values) }),
    check: ({ amount_micros }) => ({ amount_micros: amount_micros === '' ? 'Amount is required!' : null }),
    labels: { amount_micros: 'Amount' },
    onRejected: (error) => setRefused(needsApproval(error)),
    invalidates: ['customers'],
    onDone: ({ data }) => {
      toast.success(`${formatMoney(data.amount_micros, customer.currency)} deducted from ${customer.company_name}`);
      onDone();
    },
  });
  return (
    <Form {...bind} id={FORM} className={styles.panelForm}>
      <FormProblem>{isRefused ? null : problem}</FormProblem>
      {isRefused && (
        <ApprovalNotice
          sending={propose.isPending}
          onRequest={() =>
            propose.mutate({ params: { id: customer.id }, body: { ...toBody(form.getValues()), kind: 'correction' } })
          }
        />
      )}
      <Field
        form={form}
        name="amount_micros"
        as={NumberInput}
        label={`Amount (${customer.currency})`}
        description="It cannot exceed the balance."
        min={0}
        max={1_000_000}
        decimalScale={2}
        thousandSeparator=","
        hideControls
        data-autofocus
      />
      <Field form={form} name="reason" as={TextInput} label="Reason" maxLength={200} autoComplete="off" />
      <Field
        form={form}
        name="reference"
        as={TextInput}
        label="Reference"
        description="A reference can be used only once."
        maxLength={80}
        autoComplete="off"
      />
    </Form>
  );
}
