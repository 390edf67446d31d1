/** The decisions of operators about payments: to release or refund them, and to confirm a bank transfer. */
import type {
  CustomerPayment,
  listCustomerPayments as List,
  refundPayment as Refund,
} from '@parley/contract/admin/payments.ts';
import { CENT } from '@parley/contract/billing/amounts.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import { announceCustomer } from '../../accounts/accounts.ts';
import type { Queryable, Tx } from '../../kernel/db/db.ts';
import { type Paged, paged, readPage } from '../../kernel/db/list.ts';
import { failpoint } from '../../kernel/failpoint.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';
import { type Acting, record } from '../../kernel/security/audit.ts';
import { withProvider } from '../cards/cards.ts';
import { findBalance } from '../ledger/balance.ts';
import {
  countWaiting,
  findPayment,
  listWaiting,
  lockPayment,
  type PaymentRow,
  readCustomerPayment,
} from './queries.ts';
import { type Approval, requireOneOperator } from './second_operator.ts';
import { announcePayment, applyState, bookPayment, releaseFrozen } from './settle.ts';

export interface Target {
  id: string;
  payment_id: string;
}

export async function listCustomerPayments(
  db: Queryable,
  query: Parsed<typeof List>['query'],
): Promise<Paged<CustomerPayment>> {
  const page = readPage(query);
  const filter = query.filter ?? {};
  if (filter.states?.includes('refundable') && !filter.account_id)
    throw new Problem('VALUE_INVALID', { field: 'filter.account_id', message: 'Choose an account for this state' });
  return paged(page, await listWaiting(db, filter, page), await countWaiting(db, filter));
}

export async function recordDecision(
  tx: Tx,
  acting: Acting,
  action: string,
  row: PaymentRow,
  detail: object,
): Promise<CustomerPayment> {
  const payment = await readCustomerPayment(tx, row.account_id, row.id);
  record(tx, acting, {
    action,
    account_id: row.account_id,
    target: { type: 'payment', id: row.id, name: payment.company_name },
    detail: { amount_micros: row.amount_micros, currency: row.currency, ...detail },
  });
  await announceCustomer(tx, row.account_id);
  return payment;
}

export async function releasePayment(ctx: Ctx, { id, payment_id }: Target): Promise<CustomerPayment> {
  const row = await lockPayment(ctx.tx, id, payment_id);
  if (!row) throw new Problem('PAYMENT_NOT_FOUND');
  if (row.status !== 'FROZEN' || row.dispute === 'open') throw new Problem('PAYMENT_NOT_IN_REVIEW');
  return recordDecision(ctx.tx, ctx, 'payment.released', await releaseFrozen(ctx.tx, row), {});
}

/** Locks a bank transfer that can be confirmed. */
export async function lockTransfer(tx: Tx, { id, payment_id }: Target): Promise<PaymentRow> {
  const row = await lockPayment(tx, id, payment_id);
  if (!row) throw new Problem('PAYMENT_NOT_FOUND');
  if (row.type !== 'Bank Transfer' || row.status !== 'PENDING') throw new Problem('PAYMENT_NOT_IN_REVIEW');
  return row;
}

export async function confirmTransfer(ctx: Ctx, target: Target, approval?: Approval): Promise<CustomerPayment> {
  const row = await lockTransfer(ctx.tx, target);
  if (!approval) await requireOneOperator(ctx, ctx.tx, row);
  const booked = await bookPayment(ctx.tx, row, {});
  await announcePayment(ctx.tx, booked);
  return recordDecision(ctx.tx, ctx, 'payment.confirmed', booked, { reference: row.reference, ...approval });
}

export interface Refundable {
  provider_id: string;
  /** Without tax. */
  amount: number;
  with_tax: number;
}

/** Throws a problem if the payment cannot be refunded, or not in this amount. By default, everything that is left. */
export async function readRefund(
  db: Queryable,
  row: PaymentRow,
  amount_micros: number | undefined,
): Promise<Refundable> {
  const left = row.amount_micros - row.returned_micros;
  const { provider_id } = row;
  if (provider_id === null || left === 0 || !['PAID', 'FROZEN', 'PARTIALLY_REFUNDED'].includes(row.status))
    throw new Problem('PAYMENT_NOT_REFUNDABLE');
  const amount = amount_micros ?? left;
  if (amount > left)
    throw new Problem('PAYMENT_AMOUNT_INVALID', { message: 'The amount is larger than the remaining amount' });
  if (row.status !== 'FROZEN') await requireBalance(db, row.account_id, amount);
  const total = row.amount_micros + row.tax_micros;
  const with_tax =
    amount === left ? total - row.refunded_micros : Math.ceil((amount * total) / row.amount_micros / CENT) * CENT;
  return { provider_id, amount, with_tax };
}

/**
 * The refund is booked from the provider's state, like every other change. The key contains what was refunded before,
 * so two identical requests at once refund once.
 */
export async function refundPayment(
  ctx: Ctx,
  { id, payment_id }: Target,
  { amount_micros, reason }: Parsed<typeof Refund>['body'],
): Promise<CustomerPayment> {
  const { kernel } = ctx;
  const row = await findPayment(kernel.db, id, payment_id);
  if (!row) throw new Problem('PAYMENT_NOT_FOUND');
  const { amount, with_tax, provider_id } = await readRefund(kernel.db, row, amount_micros);
  await requireOneOperator(ctx, kernel.db, { account_id: id, currency: row.currency, amount_micros: amount });
  const state = await withProvider(kernel, async (provider) => {
    const key = `refund:${payment_id}:${row.refunded_micros}:${with_tax}`;
    if (!(await provider.refund(provider_id, with_tax / CENT, key))) throw new Problem('PAYMENT_NOT_REFUNDABLE');
    failpoint('payment.refunded');
    return provider.readPayment(provider_id);
  });
  return kernel.db.tx(async (tx) => {
    const applied = await applyState(tx, state);
    return recordDecision(tx, ctx, 'payment.refunded', applied ?? row, { refunded_micros: with_tax, reason });
  });
}

async function requireBalance(db: Queryable, account_id: string, amount_micros: number): Promise<void> {
  const balance = await findBalance(db, account_id);
  if (!balance || balance.available_micros + balance.credit_limit_micros < amount_micros)
    throw new Problem('BALANCE_NOT_ENOUGH', {
      message: 'The customer has spent this money. Refund at most the balance.',
    });
}
