/** Comparisons with the payment provider and their differences, for operators. */
import type * as contract from '@parley/contract/admin/reconciliation.ts';
import {
  type PaymentDifference,
  type Reconciliation,
  reconciliationChanged,
} from '@parley/contract/admin/reconciliation.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import { emitToOperators } from '../../accounts/accounts.ts';
import { type Queryable, runTogether } from '../../kernel/db/db.ts';
import { type Paged, paged, readPage } from '../../kernel/db/list.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';
import { enqueue } from '../../kernel/jobs/jobs.ts';
import { record } from '../../kernel/security/audit.ts';
import { findProvider } from '../cards/cards.ts';
import * as queries from './queries.ts';
import { reconcileJob, startRun } from './run.ts';

export async function listDifferences(
  db: Queryable,
  query: Parsed<typeof contract.listDifferences>['query'],
): Promise<Paged<PaymentDifference>> {
  const page = readPage(query);
  const filter = query.filter ?? {};
  const [rows, total] = await runTogether(
    queries.listDifferences(db, filter, page),
    queries.countDifferences(db, filter),
  );
  return paged(page, rows, total);
}

export async function resolveDifference(ctx: Ctx, id: string, reason: string): Promise<PaymentDifference> {
  const { tx, actor } = ctx;
  const found = await queries.findDifference(tx, id);
  if (!found) throw new Problem('DIFFERENCE_NOT_FOUND');
  if (!(await queries.resolve(tx, id, actor.user_id, reason))) throw new Problem('DIFFERENCE_CLOSED');
  const { provider_id, kind, ours, theirs } = found;
  record(tx, ctx, {
    action: 'payment_difference.resolved',
    target: { type: 'payment_difference', id, name: provider_id },
    detail: { account_id: found.account_id, payment_id: found.payment_id, kind, ours, theirs, reason },
  });
  await emitToOperators(tx, reconciliationChanged, { id });
  return (await queries.findDifference(tx, id))!;
}

export async function listReconciliations(
  db: Queryable,
  query: Parsed<typeof contract.listReconciliations>['query'],
): Promise<Paged<Reconciliation>> {
  const page = readPage(query);
  const [rows, total] = await runTogether(queries.runPage(db, page), queries.countRuns(db));
  return paged(page, rows, total);
}

export async function startReconciliation({ tx, kernel }: Ctx): Promise<Reconciliation> {
  if (!findProvider(kernel)) throw new Problem('PAYMENTS_OFF');
  const { id } = await startRun(tx);
  await enqueue(tx, reconcileJob, {});
  return queries.findRun(tx, id);
}
