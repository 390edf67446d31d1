/**
 * Applies what the payment provider reports to a payment and the ledger. The provider's state is read again for every
 * report, so reports can be lost, repeated, and out of order. Each change moves in one direction only, and each ledger
 * entry has a key, so applying a state twice, or an older state after a newer one, changes nothing.
 */

import { customerPaymentChanged } from '@parley/contract/admin/payments.ts';
import { CENT } from '@parley/contract/billing/amounts.ts';
import { type Payment, paymentChanged } from '@parley/contract/billing/payments.ts';
import { emitToOperators, endTrial } from '../../accounts/accounts.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import { enqueue, job } from '../../kernel/jobs/jobs.ts';
import { emit } from '../../kernel/live/events.ts';
import type { ProviderPayment } from '../cards/provider.ts';
import { move } from '../ledger/movements.ts';
import { storeCard } from './method_queries.ts';
import { lockPayment, type PaymentRow, storePayment } from './queries.ts';

/** Implemented by the stages after this one: receipts and invoices. */
export const paymentBooked = job<{ account_id: string; payment_id: string; change: BookedChange }>(
  'billing.payment_booked',
);
export type BookedChange = 'failed' | 'paid' | 'frozen' | 'returned' | 'disputed';

export async function announcePayment(tx: Tx, row: PaymentRow): Promise<void> {
  emit(tx, paymentChanged, row.account_id, row);
  await emitToOperators(tx, customerPaymentChanged, { id: row.id });
}

const isCredited = ({ status }: Pick<PaymentRow, 'status'>): boolean => status !== 'PENDING' && status !== 'FAILED';

/** Returns the payment, or null if it does not exist. */
export async function applyState(tx: Tx, state: ProviderPayment): Promise<PaymentRow | null> {
  const row = await lockPayment(tx, state.account_id, state.payment_id);
  if (!row) return null;
  const total = row.amount_micros + row.tax_micros;
  if ((row.provider_id ?? state.provider_id) !== state.provider_id)
    throw new Error(`payment ${row.id} belongs to ${row.provider_id}, not to ${state.provider_id}`);
  if (state.amount_cents * CENT !== total || state.currency !== row.currency)
    throw new Error(`payment ${row.id} has another amount at the provider`);
  let next = row;
  if (!isCredited(next)) next = await settleOpen(tx, next, state);
  if (isCredited(next)) {
    next = await applyDispute(tx, next, state.dispute);
    next = await applyRefunds(tx, next, state.refunded_cents * CENT);
  }
  if (next !== row) await announcePayment(tx, next);
  return next;
}

async function settleOpen(tx: Tx, row: PaymentRow, state: ProviderPayment): Promise<PaymentRow> {
  const { provider_id } = state;
  if (state.status === 'succeeded') {
    const card = state.card;
    const method_id = card && state.saved ? await storeCard(tx, row.account_id, card) : row.method_id;
    return bookPayment(tx, row, {
      provider_id,
      method_id,
      failure: null,
      ...(card ? { brand: card.brand, last4: card.last4, fingerprint: card.fingerprint } : {}),
    });
  }
  if (row.status === 'PENDING' && state.status !== 'open') {
    await enqueue(tx, paymentBooked, { account_id: row.account_id, payment_id: row.id, change: 'failed' });
    return storePayment(tx, row, {
      provider_id,
      status: 'FAILED',
      failure: state.failure ?? 'The payment was canceled.',
    });
  }
  return row.provider_id === null ? storePayment(tx, row, { provider_id }) : row;
}

/** Credits a payment that has arrived. The first payment of each card waits for an operator. */
export async function bookPayment(
  tx: Tx,
  row: PaymentRow,
  facts: Parameters<typeof storePayment>[2],
): Promise<PaymentRow> {
  const fingerprint = facts.fingerprint ?? null;
  const is_trusted = fingerprint === null || (await isTrusted(tx, row.account_id, fingerprint));
  const status: Payment['status'] = is_trusted ? 'PAID' : 'FROZEN';
  const stored = await storePayment(tx, row, { ...facts, status }, true);
  await move(tx, {
    account_id: row.account_id,
    amount_micros: row.amount_micros,
    kind: row.type === 'Bonus' || row.type === 'Free Test' ? 'bonus' : creditKind(row.type),
    from: 'outside',
    to: is_trusted ? 'available' : 'frozen',
    key: `payment:${row.id}`,
    payment_id: row.id,
    note: row.note || paymentNote(stored),
    limit: 'none',
  });
  if (is_trusted) await endTrial(tx, row.account_id);
  await enqueue(tx, paymentBooked, {
    account_id: row.account_id,
    payment_id: row.id,
    change: is_trusted ? 'paid' : 'frozen',
  });
  return stored;
}

const creditKind = (type: Payment['type']) => (type === 'Compensation' ? 'compensation' : 'top_up');

const paymentNote = ({ type, brand, last4, reference }: PaymentRow): string =>
  last4
    ? `${type}: ${brand.charAt(0).toUpperCase()}${brand.slice(1)} ending in ${last4}`
    : [type, reference].filter(Boolean).join(': ');

const isTrusted = async (tx: Tx, account_id: string, fingerprint: string): Promise<boolean> =>
  (await tx.maybeOne(
    sql`select 1 from payment_sources where account_id = ${account_id} and fingerprint = ${fingerprint}`,
  )) !== null;

/** Ends the review of a payment: its amount can be spent, and its card is trusted from now on. */
export async function releaseFrozen(tx: Tx, row: PaymentRow): Promise<PaymentRow> {
  const amount_micros = row.amount_micros - row.returned_micros;
  const next = await storePayment(tx, row, {
    status: row.returned_micros - row.disputed_micros > 0 ? 'PARTIALLY_REFUNDED' : 'PAID',
  });
  if (row.fingerprint !== null)
    await tx.run(sql`
      insert into payment_sources (account_id, fingerprint) values (${row.account_id}, ${row.fingerprint})
      on conflict do nothing`);
  await move(tx, {
    ...{ account_id: row.account_id, amount_micros, payment_id: row.id },
    kind: 'payment_release',
    from: 'frozen',
    to: 'available',
    key: `payment_release:${row.id}`,
    note: row.note || paymentNote(row),
    limit: 'none',
  });
  await endTrial(tx, row.account_id);
  await enqueue(tx, paymentBooked, { account_id: row.account_id, payment_id: row.id, change: 'paid' });
  await announcePayment(tx, next);
  return next;
}

/** The status that follows from the returned amount. */
function returnedStatus({
  status,
  amount_micros,
  returned_micros,
  disputed_micros,
  dispute,
}: PaymentRow): Payment['status'] {
  if (returned_micros >= amount_micros && dispute !== 'open') return 'REFUNDED';
  if (status === 'FROZEN') return 'FROZEN';
  return returned_micros - disputed_micros > 0 ? 'PARTIALLY_REFUNDED' : 'PAID';
}

async function storeReturn(tx: Tx, row: PaymentRow, change: Partial<PaymentRow>): Promise<PaymentRow> {
  const status = returnedStatus({ ...row, ...change });
  return storePayment(tx, row, { ...change, status });
}

const paymentBook = ({ status }: PaymentRow) => (status === 'FROZEN' ? 'frozen' : 'available');

async function applyDispute(tx: Tx, row: PaymentRow, dispute: ProviderPayment['dispute']): Promise<PaymentRow> {
  // A dispute is opened once and decided once. Everything else is an older state or no change.
  const isNews = row.dispute === null ? dispute !== null : row.dispute === 'open' && dispute !== 'open';
  if (!isNews || dispute === null) return row;
  const { account_id, id: payment_id } = row;
  if (row.dispute === null && dispute !== 'won') {
    const amount_micros = row.amount_micros - row.returned_micros;
    const next = await storeReturn(tx, row, {
      dispute,
      disputed_micros: amount_micros,
      returned_micros: row.amount_micros,
    });
    await move(tx, {
      ...{ account_id, payment_id, amount_micros, takes_back_micros: amount_micros },
      kind: 'dispute',
      from: paymentBook(row),
      to: 'outside',
      key: `dispute:${payment_id}`,
      limit: 'none',
    });
    if (row.fingerprint !== null)
      await tx.run(
        sql`delete from payment_sources where account_id = ${account_id} and fingerprint = ${row.fingerprint}`,
      );
    await enqueue(tx, paymentBooked, { account_id, payment_id, change: 'disputed' });
    return next;
  }
  if (dispute === 'lost') return storeReturn(tx, row, { dispute });
  const amount_micros = row.disputed_micros;
  const next = await storeReturn(tx, row, {
    dispute,
    disputed_micros: 0,
    returned_micros: row.returned_micros - amount_micros,
  });
  await move(tx, {
    ...{ account_id, payment_id, amount_micros, takes_back_micros: -amount_micros },
    kind: 'dispute_won',
    from: 'outside',
    to: paymentBook(next),
    key: `dispute_won:${payment_id}`,
    limit: 'none',
  });
  return next;
}

/** The part of the amount that a refund of `refunded_micros`, which includes tax, returns. In whole cents. */
function returnedPart(row: PaymentRow, refunded_micros: number): number {
  const total = row.amount_micros + row.tax_micros;
  if (refunded_micros >= total) return row.amount_micros;
  return Math.floor(((refunded_micros / CENT) * (row.amount_micros / CENT)) / (total / CENT)) * CENT;
}

async function applyRefunds(tx: Tx, row: PaymentRow, refunded_micros: number): Promise<PaymentRow> {
  const refunded = Math.max(refunded_micros, row.refunded_micros);
  const booked = row.returned_micros - row.disputed_micros;
  const amount_micros = Math.min(returnedPart(row, refunded) - booked, row.amount_micros - row.returned_micros);
  if (amount_micros <= 0)
    return refunded === row.refunded_micros ? row : storePayment(tx, row, { refunded_micros: refunded });
  const { account_id, id: payment_id } = row;
  const next = await storeReturn(tx, row, {
    refunded_micros: refunded,
    returned_micros: row.returned_micros + amount_micros,
  });
  const from = paymentBook(row);
  await move(tx, {
    ...{ account_id, payment_id, amount_micros, from, to: 'outside' },
    takes_back_micros: from === 'available' ? amount_micros : 0,
    kind: 'payment_refund',
    key: `payment_refund:${payment_id}:${booked + amount_micros}`,
    limit: 'none',
  });
  await enqueue(tx, paymentBooked, { account_id, payment_id, change: 'returned' });
  return next;
}
