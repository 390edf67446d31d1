/**
 * Changes of a customer's balance that two operators agree on (decision 107). Approving a proposal books it in the same
 * transaction, except for a refund, which a job requests from the payment provider.
 */
import * as contract from '@parley/contract/admin/balance_proposals.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { needReason, permits } from '@parley/contract/permission.ts';
import { Problem } from '@parley/contract/problem.ts';
import { emitToOperators } from '../../accounts/accounts.ts';
import { newId } from '../../kernel/clock.ts';
import { type Queryable, runTogether, type Tx } from '../../kernel/db/db.ts';
import { type Paged, paged, readPage } from '../../kernel/db/list.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';
import { enqueue } from '../../kernel/jobs/jobs.ts';
import { record } from '../../kernel/security/audit.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import { findProvider } from '../cards/cards.ts';
import { findLedgerEntry } from '../ledger/queries.ts';
import { correctBalance, correctionKey } from '../payments/corrections.ts';
import { lockPayment } from '../payments/queries.ts';
import { confirmTransfer, lockTransfer, readRefund } from '../payments/reviews.ts';
import { lockAccount } from '../payments/second_operator.ts';
import { topUp, topUpKey } from '../payments/top_ups.ts';
import * as queries from './queries.ts';
import { refundApproved } from './refunds.ts';

type Body = Parsed<typeof contract.createProposal>['body'];
const DAY_MS = 86_400_000;

/** Returns the user. Throws PERMISSION_REQUIRED if the caller may not make such a change, or is not a person. */
function requirePerson(actor: Actor, kind: contract.ProposalKind): string {
  const needs = contract.PROPOSAL_NEEDS[kind];
  if (!permits(actor.permissions, needs)) throw new Problem('PERMISSION_REQUIRED', { message: needReason(needs) });
  if (actor.user_id === null)
    throw new Problem('PERMISSION_REQUIRED', { message: 'API keys cannot propose or approve changes to a balance' });
  return actor.user_id;
}

export async function listProposals(
  db: Queryable,
  { user_id }: Actor,
  query: Parsed<typeof contract.listProposals>['query'],
): Promise<Paged<contract.BalanceProposal>> {
  const page = readPage(query);
  const filter = query.filter ?? {};
  const [rows, total] = await runTogether(
    queries.listProposals(db, user_id, filter, page),
    queries.countProposals(db, filter),
  );
  return paged(page, rows, total);
}

const missing = (field: keyof Body) =>
  new Problem('VALUE_INVALID', { field, message: `This kind of change needs ${field}` });

/** Returns the change to propose. Throws a problem if the change is not possible at the moment. */
async function readChange(
  tx: Tx,
  account_id: string,
  { kind, amount_micros, reference, payment_id }: Body,
): Promise<{ amount_micros: number; reference: string | null; payment_id: string | null }> {
  if (kind === 'refund' || kind === 'transfer') {
    if (payment_id === undefined) throw missing('payment_id');
    if (kind === 'transfer') {
      const row = await lockTransfer(tx, { id: account_id, payment_id });
      return { amount_micros: row.amount_micros, reference: row.reference, payment_id };
    }
    const row = await lockPayment(tx, account_id, payment_id);
    if (!row) throw new Problem('PAYMENT_NOT_FOUND');
    return { amount_micros: (await readRefund(tx, row, amount_micros)).amount, reference: null, payment_id };
  }
  if (amount_micros === undefined) throw missing('amount_micros');
  if (reference === undefined) throw missing('reference');
  const key = kind === 'correction' ? correctionKey(reference) : topUpKey(reference);
  if (await findLedgerEntry(tx, account_id, key)) throw new Problem('TOP_UP_REFERENCE_USED');
  return { amount_micros, reference, payment_id: null };
}

export async function createProposal(ctx: Ctx, account_id: string, body: Body): Promise<contract.BalanceProposal> {
  const { tx, actor } = ctx;
  const user_id = requirePerson(actor, body.kind);
  const account = await lockAccount(tx, account_id);
  if (account.closed) throw new Problem('ACCOUNT_CLOSED');
  await queries.expireProposals(tx, account_id);
  const row = {
    ...{ account_id, kind: body.kind, reason: body.reason, user_id, ...(await readChange(tx, account_id, body)) },
    expire_date: new Date(tx.now.getTime() + contract.PROPOSAL_DAYS * DAY_MS),
  };
  const same = await queries.findSameProposal(tx, row);
  if (same) return queries.readProposal(tx, user_id, account_id, same.id);
  const id = newId();
  if (!(await queries.insertProposal(tx, { ...row, id }))) throw new Problem('BALANCE_PROPOSAL_EXISTS');
  const { kind, amount_micros, reason, reference, payment_id } = row;
  record(tx, ctx, {
    action: 'balance.proposed',
    target: { type: 'account', id: account_id, name: account.company_name },
    detail: { proposal_id: id, kind, amount_micros, currency: account.currency, reason, reference, payment_id },
  });
  await emitToOperators(tx, contract.balanceProposalChanged, { id });
  return queries.readProposal(tx, user_id, account_id, id);
}

export async function decideProposal(
  ctx: Ctx,
  { id: account_id, proposal_id: id }: Parsed<typeof contract.decideProposal>['params'],
  { status, reason }: Parsed<typeof contract.decideProposal>['body'],
): Promise<contract.BalanceProposal> {
  const { tx, actor } = ctx;
  // The account is locked before the proposal, as when it is proposed.
  const account = await lockAccount(tx, account_id);
  const row = await queries.lockProposal(tx, actor.user_id ?? newId(), account_id, id);
  if (!row) throw new Problem('BALANCE_PROPOSAL_NOT_FOUND');
  const user_id = requirePerson(actor, row.kind);
  if (row.status !== 'waiting') throw new Problem('BALANCE_PROPOSAL_DECIDED');
  if (status === 'rejected') await queries.storeDecision(tx, { account_id, id, status, user_id, reason });
  else if (row.is_own) throw new Problem('BALANCE_PROPOSAL_OWN');
  else if (row.kind === 'refund') await approveRefund(ctx, row, user_id);
  else {
    await applyChange(ctx, row);
    await queries.storeDecision(tx, { account_id, id, status: 'applied', user_id, reason });
  }
  record(tx, ctx, {
    action: status === 'approved' ? 'balance.proposal_approved' : 'balance.proposal_rejected',
    target: { type: 'account', id: account_id, name: account.company_name },
    detail: { proposal_id: id, kind: row.kind, amount_micros: row.amount_micros, proposed_by: row.proposed_by, reason },
  });
  await emitToOperators(tx, contract.balanceProposalChanged, { id });
  return queries.readProposal(tx, user_id, account_id, id);
}

/** Books the change. If it is no longer possible, the problem is returned and the proposal waits. */
async function applyChange(ctx: Ctx, row: queries.ProposalRow): Promise<unknown> {
  const { account_id, kind, amount_micros, reason, proposed_by } = row;
  const approval = { proposal_id: row.id, proposed_by };
  if (kind === 'transfer') return confirmTransfer(ctx, { id: account_id, payment_id: row.payment_id! }, approval);
  const change = { amount_micros, reason, reference: row.reference! };
  if (kind === 'correction') return correctBalance(ctx, account_id, change, approval);
  if (kind !== 'refund') return topUp(ctx, account_id, { ...change, kind }, approval);
  return null;
}

async function approveRefund({ tx, kernel }: Ctx, row: queries.ProposalRow, user_id: string): Promise<void> {
  const { account_id, id } = row;
  if (!findProvider(kernel)) throw new Problem('PAYMENTS_OFF');
  const payment = await lockPayment(tx, account_id, row.payment_id!);
  if (!payment) throw new Problem('PAYMENT_NOT_REFUNDABLE');
  const { with_tax } = await readRefund(tx, payment, row.amount_micros);
  await queries.storeDecision(tx, { account_id, id, status: 'processing', user_id, refund_micros: with_tax });
  await enqueue(tx, refundApproved, { account_id, id });
}
