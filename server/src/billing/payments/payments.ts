/** An account's payments, for the API. */
import type { listPayments as List, Payment } from '@parley/contract/billing/payments.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { Queryable } from '../../kernel/db/db.ts';
import { type Paged, paged, readPage } from '../../kernel/db/list.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import { countPayments, findPayment, listPaymentRows } from './queries.ts';

export async function listPayments(
  db: Queryable,
  { account_id }: Actor,
  query: Parsed<typeof List>['query'],
): Promise<Paged<Payment>> {
  const page = readPage(query);
  const filter = { account_id, ...query.filter };
  const rows = await listPaymentRows(db, filter, page);
  return paged(page, rows, await countPayments(db, filter, page), (payment) => payment.id);
}

export async function getPayment(db: Queryable, { account_id }: Actor, id: string): Promise<Payment> {
  const row = await findPayment(db, account_id, id);
  if (!row) throw new Problem('PAYMENT_NOT_FOUND');
  return row;
}
