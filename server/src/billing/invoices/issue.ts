/**
 * Issues invoices for payments that have arrived, and credit notes for refunds. The payment and its earlier invoices
 * determine what is missing, so a repeated call issues nothing.
 */
import { taxAmount } from '@parley/contract/billing/amounts.ts';
import type { Payment } from '@parley/contract/billing/payments.ts';
import { newId } from '../../kernel/clock.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import { enqueue, job } from '../../kernel/jobs/jobs.ts';
import { lockPayment, type PaymentRow } from '../payments/queries.ts';
import { findBuyer } from '../payments/tax.ts';
import { insertInvoice, readInvoicedAmount, takeNumber } from './queries.ts';

export const invoiceIssued = job<{ account_id: string; id: string }>('billing.invoice_issued', { retry: 10 });

/** Bonuses and compensations are not sales. */
const SALES: readonly Payment['type'][] = ['Paypal', 'Credit Card', 'Auto Top Up', 'Bank Transfer'];

export async function issueInvoices(tx: Tx, account_id: string, payment_id: string): Promise<void> {
  const payment = await lockPayment(tx, account_id, payment_id);
  if (!payment || !SALES.includes(payment.type) || ['PENDING', 'FAILED'].includes(payment.status)) return;
  const invoiced = await readInvoicedAmount(tx, account_id, payment_id);
  if (invoiced === null) {
    // A payment that was returned during its review was not a sale.
    if (payment.status !== 'FROZEN' && !(payment.status === 'REFUNDED' && !(await hasReleased(tx, payment))))
      await issue(tx, payment, payment.amount_micros);
    else return;
  }
  const difference = payment.amount_micros - payment.returned_micros - (invoiced ?? payment.amount_micros);
  if (difference !== 0) await issue(tx, payment, difference);
}

const hasReleased = async (tx: Tx, { account_id, id }: PaymentRow): Promise<boolean> =>
  (await tx.maybeOne(sql`
    select 1 from ledger where account_id = ${account_id} and payment_id = ${id} and credit = 'available'`)) !== null;

async function issue(tx: Tx, payment: PaymentRow, net_micros: number): Promise<void> {
  const { account_id, tax_rate, currency } = payment;
  const buyer = await tx.one<{
    invoice_entity: number;
    name: string;
    address: string;
    country_code: string;
    vat_number: string;
  }>(sql`
    select invoice_entity, coalesce(nullif(invoice_company, ''), company_name) as name, company_address as address,
           country_code, vat_number
    from accounts where id = ${account_id}`);
  const { reverse_charge } = await findBuyer(tx, account_id);
  const { invoice_entity, ...party } = buyer;
  const { id: _, number_prefix, taken, ...seller } = await takeNumber(tx, invoice_entity);
  const id = newId();
  // The tax of a complete payment or refund is the tax that was charged, not a rounded share.
  const tax_micros =
    Math.abs(net_micros) === payment.amount_micros
      ? Math.sign(net_micros) * payment.tax_micros
      : taxAmount(net_micros, tax_rate);
  await insertInvoice(tx, {
    ...{ account_id, id, entity: invoice_entity, number: `${number_prefix}${String(taken).padStart(6, '0')}` },
    type: net_micros < 0 ? 'Credit note' : 'Invoice',
    payment_id: payment.id,
    currency,
    net_micros,
    tax_micros,
    tax_rate,
    content: {
      seller,
      buyer: party,
      description: net_micros < 0 ? 'Refund of messaging credit' : 'Messaging credit',
      reverse_charge: reverse_charge && payment.tax_micros === 0,
    },
  });
  await enqueue(tx, invoiceIssued, { account_id, id });
}
