/** What operators decide about payments: release, refund, confirm a bank transfer, and correct a balance. */
import type {
  correctBalance as Correct,
  CustomerPayment,
  listCustomerPayments as List,
  refundPayment as Refund,
} from '@parley/contract/admin/payments.ts';
import { CENT } from '@parley/contract/billing/amounts.ts';
import type { LedgerEntry } from '@parley/contract/billing/billing.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import { announceCustomer } from '../../accounts/accounts.ts';
import { type Queryable, sql } from '../../kernel/db/db.ts';
import { type Paged, paged, readPage } from '../../kernel/db/list.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';
import { record } from '../../kernel/security/audit.ts';
import { withProvider } from '../cards/cards.ts';
import { findBalance } from '../ledger/balance.ts';
import { move } from '../ledger/movements.ts';
import { ledgerEntry } from '../ledger/queries.ts';
import { countWaiting, customerPayment, findPayment, lockPayment, type PaymentRow, waitingPage } from './queries.ts';
import { announcePayment, applyState, bookPayment, releaseFrozen } from './settle.ts';

interface Target {
  id: string;
  payment_id: string;
}

export async function listCustomerPayments(
  db: Queryable,
  query: Parsed<typeof List>['query'],
): Promise<Paged<CustomerPayment>> {
  const page = readPage(query);
  const filter = query.filter ?? {};
  return paged(page, await waitingPage(db, filter, page), await countWaiting(db, filter));
}

async function recordDecision(ctx: Ctx, action: string, row: PaymentRow, detail: object): Promise<CustomerPayment> {
  const { tx } = ctx;
  const payment = await customerPayment(tx, row.account_id, row.id);
  record(tx, ctx, {
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
  return recordDecision(ctx, 'payment.released', await releaseFrozen(ctx.tx, row), {});
}

export async function confirmTransfer(ctx: Ctx, { id, payment_id }: Target): Promise<CustomerPayment> {
  const row = await lockPayment(ctx.tx, id, payment_id);
  if (!row) throw new Problem('PAYMENT_NOT_FOUND');
  if (row.type !== 'Bank Transfer' || row.status !== 'PENDING') throw new Problem('PAYMENT_NOT_IN_REVIEW');
  const booked = await bookPayment(ctx.tx, row, {});
  await announcePayment(ctx.tx, booked);
  return recordDecision(ctx, 'payment.confirmed', booked, { reference: row.reference });
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
  const left = row.amount_micros - row.returned_micros;
  const { provider_id } = row;
  if (provider_id === null || left === 0 || !['PAID', 'FROZEN', 'PARTIALLY_REFUNDED'].includes(row.status))
    throw new Problem('PAYMENT_NOT_REFUNDABLE');
  const amount = amount_micros ?? left;
  if (amount > left) throw new Problem('PAYMENT_AMOUNT_INVALID', { message: 'The amount is larger than what is left' });
  if (row.status !== 'FROZEN') await requireBalance(kernel.db, id, amount);
  const total = row.amount_micros + row.tax_micros;
  const with_tax =
    amount === left ? total - row.refunded_micros : Math.ceil((amount * total) / row.amount_micros / CENT) * CENT;
  const state = await withProvider(kernel, async (provider) => {
    const key = `refund:${payment_id}:${row.refunded_micros}:${with_tax}`;
    if (!(await provider.refund(provider_id, with_tax / CENT, key))) throw new Problem('PAYMENT_NOT_REFUNDABLE');
    return provider.readPayment(provider_id);
  });
  return kernel.db.tx(async (tx) => {
    const applied = await applyState(tx, state);
    return recordDecision({ ...ctx, tx }, 'payment.refunded', applied ?? row, { refunded_micros: with_tax, reason });
  });
}

async function requireBalance(db: Queryable, account_id: string, amount_micros: number): Promise<void> {
  const balance = await findBalance(db, account_id);
  if (!balance || balance.available_micros + balance.credit_limit_micros < amount_micros)
    throw new Problem('BALANCE_NOT_ENOUGH', {
      message: 'The customer has spent this money. Refund at most the balance.',
    });
}

export async function correctBalance(
  ctx: Ctx,
  account_id: string,
  { amount_micros, reason, reference }: Parsed<typeof Correct>['body'],
): Promise<LedgerEntry> {
  const { tx } = ctx;
  const account = await tx.maybeOne<{ company_name: string }>(
    sql`select company_name from accounts where id = ${account_id} and kind = 'CUSTOMER' for update`,
  );
  if (!account) throw new Problem('ACCOUNT_NOT_FOUND');
  const key = `correction:${reference}`;
  const existing = await ledgerEntry(tx, account_id, key);
  if (existing) {
    if (existing.amount_micros !== amount_micros) throw new Problem('TOP_UP_REFERENCE_USED');
    return existing;
  }
  await move(tx, {
    ...{ account_id, amount_micros, key, note: `${reason} (${reference})` },
    kind: 'correction',
    from: 'available',
    to: 'outside',
    limit: 'covered',
  });
  record(tx, ctx, {
    action: 'balance.corrected',
    account_id,
    target: { type: 'account', id: account_id, name: account.company_name },
    detail: { amount_micros, reason, reference },
  });
  await announceCustomer(tx, account_id);
  return (await ledgerEntry(tx, account_id, key))!;
}
