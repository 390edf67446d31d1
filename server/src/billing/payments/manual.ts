/** Payments that operators book, and the trial credit. They move money immediately. */
import { taxAmount } from '@parley/contract/billing/amounts.ts';
import type { Payment } from '@parley/contract/billing/payments.ts';
import { newId } from '../../kernel/clock.ts';
import type { Tx } from '../../kernel/db/db.ts';
import { enqueue } from '../../kernel/jobs/jobs.ts';
import { credit } from '../ledger/credits.ts';
import { insertPayment, storePayment } from './queries.ts';
import { announcePayment, paymentBooked } from './settle.ts';
import { findBuyer } from './tax.ts';

interface ManualPayment {
  account_id: string;
  amount_micros: number;
  type: Extract<Payment['type'], 'Bank Transfer' | 'Bonus' | 'Compensation' | 'Free Test'>;
  /** The key of the ledger entry. */
  key: string;
  note: string;
}

const KINDS = {
  'Bank Transfer': 'top_up',
  Bonus: 'bonus',
  Compensation: 'compensation',
  'Free Test': 'bonus',
} as const;

/** Call it at most once per key, under a lock of the account. */
export async function bookManual(tx: Tx, { account_id, amount_micros, type, key, note }: ManualPayment): Promise<void> {
  const { currency, rate } = await findBuyer(tx, account_id);
  const is_sale = type === 'Bank Transfer';
  const payment = await insertPayment(tx, {
    ...{ account_id, id: newId(), type, currency, amount_micros, note },
    tax_micros: is_sale ? taxAmount(amount_micros, rate) : 0,
    tax_rate: is_sale ? rate : 0,
  });
  if (!payment) throw new Error('the payment could not be stored');
  const stored = await storePayment(tx, payment, { status: 'PAID' }, true);
  await credit(tx, { account_id, amount_micros, kind: KINDS[type], key, note, payment_id: stored.id });
  await announcePayment(tx, stored);
  if (is_sale) await enqueue(tx, paymentBooked, { account_id, payment_id: stored.id, change: 'paid' });
}
