import { Button, NumberInput, TextInput } from '@mantine/core';
import type { Customer } from '@parley/contract/admin/customers.ts';
import { type CustomerPayment, listCustomerPayments, refundPayment } from '@parley/contract/admin/payments.ts';
import { PAYMENT_STATUS } from '@parley/contract/billing/payment_statuses.ts';
import { useState } from 'react';
import { useContractForm } from '../../kernel/form/form.ts';
import { useEndpoint } from '../../kernel/http/query.ts';
import { usePanel } from '../../kernel/list/panel.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import { useReason } from '../../kernel/session/session.tsx';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { formatMoney } from '../../ui/data/format.ts';
import { Money } from '../../ui/data/Money.tsx';
import { StatusBadge } from '../../ui/data/StatusBadge.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { Field } from '../../ui/form/Field.tsx';
import { Form } from '../../ui/form/Form.tsx';
import { FormProblem } from '../../ui/form/FormParts.tsx';
import { Fields, SidePanel } from '../../ui/layout/SidePanel.tsx';
import styles from '../Admin.module.css';
import { ApprovalNotice } from '../payments/ApprovalNotice.tsx';
import { needsApproval, usePropose } from '../payments/proposals.ts';
import { Box } from './Box.tsx';

const FORM = 'refund-form';
const MICROS = 1_000_000;
const MAX_SHOWN = 10;

/** The latest card payments of an account, which an operator can refund. */
export function PaymentsBox({ customer }: { customer: Customer }) {
  const panel = usePanel('refund');
  const enabled = useReason(listCustomerPayments.needs) === null;
  const query = { page_size: MAX_SHOWN, filter: { account_id: customer.id, states: 'refundable' } } as const;
  const payments = useEndpoint(listCustomerPayments, { query }, { enabled }).data?.data ?? [];
  const open = payments.find(({ id }) => id === panel.id) ?? null;
  return (
    <Box title="Card payments">
      {payments.length === 0 ? (
        <p className={styles.hint}>No card payments can be refunded.</p>
      ) : (
        <Fields
          fields={payments.map((payment) => ({
            key: payment.id,
            label: payment.type,
            value: <PaymentLine payment={payment} onRefund={() => panel.open(payment.id)} />,
          }))}
        />
      )}
      <SidePanel
        open={open !== null}
        onClose={panel.close}
        title="Refund payment"
        description={open ? `To the card of ${customer.company_name}, with the VAT on the amount.` : ''}
        actions={
          <Button type="submit" form={FORM} color="red">
            Refund payment
          </Button>
        }
      >
        {open && <RefundForm payment={open} onDone={panel.close} />}
      </SidePanel>
    </Box>
  );
}

const leftMicros = ({ amount_micros, returned_micros }: CustomerPayment): number => amount_micros - returned_micros;

function PaymentLine({ payment, onRefund }: { payment: CustomerPayment; onRefund: () => void }) {
  return (
    <span className={styles.binds}>
      <Money micros={payment.amount_micros} currency={payment.currency} />
      <StatusBadge {...PAYMENT_STATUS[payment.status]} />
      <DateTime value={payment.paid_date ?? payment.create_date} />
      <Allow needs={refundPayment.needs}>
        <Button variant="subtle" size="compact-sm" onClick={onRefund}>
          Refund
        </Button>
      </Allow>
    </span>
  );
}

interface Values extends Record<string, unknown> {
  amount_micros: number | string;
  reason: string;
}
const toBody = ({ amount_micros, reason }: Values) => ({
  reason,
  amount_micros: Math.round(Number(amount_micros || 0) * MICROS),
});

function RefundForm({ payment, onDone }: { payment: CustomerPayment; onDone: () => void }) {
  const [isRefused, setRefused] = useState(false);
  const propose = usePropose(onDone);
  const params = { id: payment.account_id, payment_id: payment.id };
  const initial: Values = { amount_micros: leftMicros(payment) / MICROS, reason: '' };
  const { form, bind, problem } = useContractForm(refundPayment, {
    initial,
    body: toBody,
    input: (values) => ({ params, body: toBody(values) }),
    check: ({ amount_micros }) => ({ amount_micros: amount_micros === '' ? 'Amount is required!' : null }),
    labels: { amount_micros: 'Amount' },
    onRejected: (error) => setRefused(needsApproval(error)),
    invalidates: ['customers', 'customer_payments'],
    onDone: () => {
      toast.success('Payment refunded');
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
            propose.mutate({
              params: { id: payment.account_id },
              body: { ...toBody(form.getValues()), kind: 'refund', payment_id: payment.id },
            })
          }
        />
      )}
      <Field
        form={form}
        name="amount_micros"
        as={NumberInput}
        label={`Amount (${payment.currency})`}
        description={`${formatMoney(leftMicros(payment), payment.currency)} can be refunded.`}
        min={0}
        decimalScale={2}
        thousandSeparator=","
        hideControls
        data-autofocus
      />
      <Field form={form} name="reason" as={TextInput} label="Reason" maxLength={200} autoComplete="off" />
    </Form>
  );
}
