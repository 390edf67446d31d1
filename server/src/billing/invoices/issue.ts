/**
 * Issues invoices for payments that have arrived, and credit notes for refunds. The payment and its earlier invoices
 * determine what is missing, so a repeated call issues nothing. An account can have one invoice for the payments of a
 * month instead, which leaves out what was returned by then. Later refunds get credit notes.
 */
import { taxAmount } from '@parley/contract/billing/amounts.ts';
import type { Payment } from '@parley/contract/billing/payments.ts';
import { newId } from '../../kernel/clock.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import { enqueue, job } from '../../kernel/jobs/jobs.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { lockPayment, type PaymentRow } from '../payments/queries.ts';
import { findChoices } from '../payments/settings.ts';
import { findBuyer } from '../payments/tax.ts';
import * as queries from './queries.ts';

export const invoiceIssued = job<{ account_id: string; id: string }>('billing.invoice_issued', { retry: 10 });
/** After the statements of the month. A payment that was released late is invoiced in the next night. */
export const monthlyJob = job('billing.monthly_invoices', { cron: '50 1 * * *', expire_seconds: 3_600 });

/** Bonuses and compensations are not sales. */
const SALES: readonly Payment['type'][] = ['Paypal', 'Credit Card', 'Auto Top Up', 'Bank Transfer'];
/** Hours after midnight in UTC, because a transaction that began before it may commit later. */
const WAIT_MS = 3_600_000;
const BATCH = 500;

export async function issueInvoices(tx: Tx, account_id: string, payment_id: string): Promise<void> {
  const payment = await lockPayment(tx, account_id, payment_id);
  if (!payment || !SALES.includes(payment.type) || ['PENDING', 'FAILED'].includes(payment.status)) return;
  const invoiced = await queries.readInvoicedAmount(tx, account_id, payment_id);
  if (invoiced === null) {
    // A payment that was returned during its review was not a sale.
    const isSale = payment.status !== 'FROZEN' && !(payment.status === 'REFUNDED' && !(await hasReleased(tx, payment)));
    if (!isSale || (await findChoices(tx, account_id)).monthly_invoices) return;
    await issueForPayment(tx, payment, payment.amount_micros);
  }
  const difference = payment.amount_micros - payment.returned_micros - (invoiced ?? payment.amount_micros);
  if (difference !== 0) await issueForPayment(tx, payment, difference);
}

const hasReleased = async (tx: Tx, { account_id, id }: PaymentRow): Promise<boolean> =>
  (await tx.maybeOne(sql`
    select 1 from ledger where account_id = ${account_id} and payment_id = ${id} and credit = 'available'`)) !== null;

/** The tax of a complete payment or refund is the tax that was charged, not a rounded share. */
const taxFor = ({ amount_micros, tax_micros, tax_rate }: PaymentRow, net_micros: number): number =>
  Math.abs(net_micros) === amount_micros ? Math.sign(net_micros) * tax_micros : taxAmount(net_micros, tax_rate);

async function issueForPayment(tx: Tx, payment: PaymentRow, net_micros: number): Promise<void> {
  const { account_id, tax_rate, currency } = payment;
  await issue(tx, account_id, {
    type: net_micros < 0 ? 'Credit note' : 'Invoice',
    payment_id: payment.id,
    month: null,
    ...{ currency, net_micros, tax_rate },
    tax_micros: taxFor(payment, net_micros),
    description: net_micros < 0 ? 'Refund of messaging credit' : 'Messaging credit',
    untaxed: payment.tax_micros === 0,
  });
}

interface Document extends Omit<queries.NewInvoice, 'account_id' | 'id' | 'entity' | 'number' | 'content'> {
  description: string;
  lines?: queries.InvoiceContent['lines'];
  /** True if no tax was charged. */
  untaxed: boolean;
}

/** Returns the id of the invoice. */
async function issue(
  tx: Tx,
  account_id: string,
  { description, lines, untaxed, ...document }: Document,
): Promise<string> {
  const { invoice_entity, ...buyer } = await queries.readParty(tx, account_id);
  const { reverse_charge } = await findBuyer(tx, account_id);
  const { id: _, number_prefix, taken, ...seller } = await queries.takeNumber(tx, invoice_entity);
  const id = newId();
  await queries.insertInvoice(tx, {
    ...document,
    ...{ account_id, id, entity: invoice_entity, number: `${number_prefix}${String(taken).padStart(6, '0')}` },
    content: { seller, buyer, description, reverse_charge: reverse_charge && untaxed, ...(lines ? { lines } : {}) },
  });
  await enqueue(tx, invoiceIssued, { account_id, id });
  return id;
}

/** Issues the invoices for the payments before a time that have none: one for each rate of VAT. */
export async function issueMonth(tx: Tx, account_id: string, until: Date): Promise<void> {
  await queries.lockPayments(tx, account_id, SALES);
  const payments = await queries.uninvoicedPayments(tx, account_id, SALES, until);
  const month = new Date(until.getTime() - 1).toISOString().slice(0, 7);
  const groups = Map.groupBy(payments, ({ tax_rate, tax_micros }) => `${tax_rate} ${tax_micros === 0}`);
  for (const group of groups.values()) {
    const parts = group.map((payment) => {
      const net_micros = payment.amount_micros - payment.returned_micros;
      return { ...payment, net_micros, part_tax_micros: taxFor(payment, net_micros) };
    });
    const { currency, tax_rate, tax_micros } = group[0]!;
    const id = await issue(tx, account_id, {
      ...{ type: 'Invoice', payment_id: null, month: `${month}-01`, currency, tax_rate },
      net_micros: parts.reduce((sum, part) => sum + part.net_micros, 0),
      tax_micros: parts.reduce((sum, part) => sum + part.part_tax_micros, 0),
      description: `Messaging credit, ${monthTitle(month)}`,
      lines: parts.map(({ day, net_micros }) => ({
        ...{ date: day, description: `Messaging credit, ${day}`, net_amount_micros: net_micros },
      })),
      untaxed: tax_micros === 0,
    });
    await queries.insertInvoicePayments(tx, account_id, id, parts);
  }
}

const monthTitle = (month: string): string =>
  new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${month}-01T00:00:00Z`),
  );

/** Issues the invoices of all accounts that have chosen monthly invoices, one transaction per account. */
export async function issueMonthlyInvoices({ db }: Pick<Kernel, 'db'>): Promise<void> {
  const month = new Date(db.clock.now().getTime() - WAIT_MS).toISOString().slice(0, 7);
  const until = new Date(`${month}-01T00:00:00Z`);
  for (let after: string | null = null; ; ) {
    const accounts = await queries.monthlyAccounts(db, after, BATCH);
    for (const { account_id } of accounts) await db.tx((tx) => issueMonth(tx, account_id, until));
    if (accounts.length < BATCH) return;
    after = accounts.at(-1)!.account_id;
  }
}
