/** Differences between payments and the payment provider, which a daily comparison finds. */
import { z } from 'zod';
import { idParams, listQuery, timestamp, uuid, wordList } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { type StatusWord, statusWord } from '../status.ts';

export const DIFFERENCE_KINDS = [
  'missing_here',
  'missing_there',
  'amount',
  'currency',
  'status',
  'refunded',
  'dispute',
] as const;
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number];

/** `settled`: the difference no longer exists. `resolved`: an operator has closed it with a reason. */
export const DIFFERENCE_STATUSES = ['open', 'settled', 'resolved'] as const;
export const DIFFERENCE_STATUS: Readonly<Record<(typeof DIFFERENCE_STATUSES)[number], StatusWord>> = {
  open: statusWord('Open', 'fail', 'alert'),
  settled: statusWord('Settled', 'ok', 'check'),
  resolved: statusWord('Resolved', 'off', 'check'),
};

export const PaymentDifference = z.object({
  id: z.string(),
  /** Null if the payment is unknown here. */
  account_id: z.string().nullable(),
  company_name: z.string().nullable(),
  payment_id: z.string().nullable(),
  /** The ID of the payment at the provider. */
  provider_id: z.string(),
  kind: z.enum(DIFFERENCE_KINDS),
  ours: z.string(),
  theirs: z.string(),
  status: z.enum(DIFFERENCE_STATUSES),
  reason: z.string().nullable(),
  resolved_by: z.string().nullable(),
  resolve_date: timestamp.nullable(),
  create_date: timestamp,
});
export type PaymentDifference = z.output<typeof PaymentDifference>;

export const Reconciliation = z.object({
  id: z.string(),
  from_date: timestamp,
  until_date: timestamp,
  /** Payments of the provider that were compared. */
  payments_count: z.int(),
  /** Differences that this comparison found and settled, because a report of the provider was lost. */
  settled_count: z.int(),
  /** Differences that this comparison found and that need an operator. */
  differences_count: z.int(),
  create_date: timestamp,
  /** Null while the comparison is running. */
  end_date: timestamp.nullable(),
});
export type Reconciliation = z.output<typeof Reconciliation>;

export const listDifferences = endpoint({
  id: 'payment_differences.list',
  method: 'GET',
  path: '/v1/payment_differences',
  summary: 'List the differences between stored payments and the payment provider’s records, newest first',
  needs: 'PAYMENTS:view',
  audience: 'operator',
  query: listQuery({
    statuses: wordList(DIFFERENCE_STATUSES),
    kinds: wordList(DIFFERENCE_KINDS),
    account_id: uuid(),
  }),
  list: true,
  output: PaymentDifference,
  problems: ['OPERATOR_ONLY', 'VALUE_INVALID'],
});

export const resolveDifference = endpoint({
  id: 'payment_differences.resolve',
  method: 'PUT',
  path: '/v1/payment_differences/{id}',
  summary: 'Resolve a difference. Later comparisons do not report the same values again',
  needs: 'PAYMENTS:edit',
  audience: 'operator',
  params: idParams('DIFFERENCE_NOT_FOUND'),
  body: z.object({ reason: z.string().trim().min(3).max(200) }),
  output: PaymentDifference,
  problems: ['DIFFERENCE_NOT_FOUND', 'OPERATOR_ONLY', 'DIFFERENCE_CLOSED'],
});

export const listReconciliations = endpoint({
  id: 'reconciliations.list',
  method: 'GET',
  path: '/v1/reconciliations',
  summary: 'List the comparisons of payments with the payment provider, newest first',
  needs: 'PAYMENTS:view',
  audience: 'operator',
  query: listQuery({}),
  list: true,
  output: Reconciliation,
  problems: ['OPERATOR_ONLY', 'VALUE_INVALID'],
});

export const startReconciliation = endpoint({
  id: 'reconciliations.create',
  method: 'POST',
  path: '/v1/reconciliations',
  summary: 'Compare payments with the payment provider now. If a comparison is already running, it is returned instead',
  needs: 'PAYMENTS:edit',
  audience: 'operator',
  status: 201,
  output: Reconciliation,
  problems: ['OPERATOR_ONLY', 'PAYMENTS_OFF'],
});

export const reconciliationChanged = event({
  id: 'reconciliation.changed',
  modules: ['payment_differences', 'reconciliations'],
  needs: 'PAYMENTS:view',
  payload: z.object({ id: z.string() }),
});
