/** Compares a payment with its state at the payment provider. */
import type { DifferenceKind } from '@parley/contract/admin/reconciliation.ts';
import { CENT } from '@parley/contract/billing/amounts.ts';
import type { ProviderPayment } from '../cards/provider.ts';
import type { PaymentRow } from '../payments/queries.ts';

export interface Difference {
  kind: DifferenceKind;
  ours: string;
  theirs: string;
}

const MICROS = 1_000_000;
const money = (micros: number, currency: string): string => `${(micros / MICROS).toFixed(2)} ${currency}`;

export const hasMoved = ({ status }: Pick<PaymentRow, 'status'>): boolean =>
  status !== 'PENDING' && status !== 'FAILED';
const totalMicros = (row: PaymentRow): number => row.amount_micros + row.tax_micros;
const ourAmount = (row: PaymentRow): string => money(totalMicros(row), row.currency);
const theirAmount = (state: ProviderPayment): string => money(state.amount_cents * CENT, state.currency);

/** A payment of the provider that is unknown here. It counts only if it moved money. */
export const unknownPayment = (state: ProviderPayment): Difference[] =>
  state.status === 'succeeded' ? [{ kind: 'missing_here', ours: '', theirs: theirAmount(state) }] : [];

/** A payment that the provider does not know. It counts only if its money reached a balance. */
export const missingPayment = (row: PaymentRow): Difference[] =>
  hasMoved(row) ? [{ kind: 'missing_there', ours: ourAmount(row), theirs: '' }] : [];

/** Differences that no report of the provider can settle. */
export function compareAmounts(row: PaymentRow, state: ProviderPayment): Difference[] {
  if (state.currency !== row.currency) return [{ kind: 'currency', ours: ourAmount(row), theirs: theirAmount(state) }];
  if (state.amount_cents * CENT !== totalMicros(row))
    return [{ kind: 'amount', ours: ourAmount(row), theirs: theirAmount(state) }];
  return [];
}

/** A difference before the state is applied is a lost report; a difference afterward needs an operator. */
export function compareProgress(row: PaymentRow, state: ProviderPayment): Difference[] {
  const differences: Difference[] = [];
  if (hasMoved(row) !== (state.status === 'succeeded'))
    differences.push({ kind: 'status', ours: row.status, theirs: state.status });
  const theirs_micros = state.refunded_cents * CENT;
  if (row.refunded_micros !== theirs_micros)
    differences.push({
      kind: 'refunded',
      ours: money(row.refunded_micros, row.currency),
      theirs: money(theirs_micros, state.currency),
    });
  if (row.dispute !== state.dispute)
    differences.push({ kind: 'dispute', ours: row.dispute ?? 'none', theirs: state.dispute ?? 'none' });
  return differences;
}
