/**
 * Compares the payments with the payment provider. A comparison goes through the provider's payments, refunds, and
 * disputes, then through our payments that the provider did not list, the ones with an open dispute, and the ones with
 * an open difference. Each page and its position are stored, so a comparison continues after a crash, and a page that
 * is read twice changes nothing.
 */
import { reconciliationChanged } from '@parley/contract/admin/reconciliation.ts';
import { parseTimestamp } from '@parley/contract/common.ts';
import { emitToOperators } from '../../accounts/accounts.ts';
import { newId } from '../../kernel/clock.ts';
import type { Tx } from '../../kernel/db/db.ts';
import { failpoint } from '../../kernel/failpoint.ts';
import { enqueue, job } from '../../kernel/jobs/jobs.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { findProvider } from '../cards/cards.ts';
import type { PaymentProvider, ProviderPayment } from '../cards/provider.ts';
import { lockPayment, type PaymentRow } from '../payments/queries.ts';
import { applyState } from '../payments/settle.ts';
import {
  compareAmounts,
  compareProgress,
  type Difference,
  hasMoved,
  missingPayment,
  unknownPayment,
} from './compare.ts';
import * as queries from './queries.ts';

/** Daily, and when an operator asks for it. */
export const reconcileJob = job('billing.reconcile', {
  cron: '20 3 * * *',
  retry: 5,
  retry_seconds: 300,
  expire_seconds: 3_600,
  key: () => 'all',
});
/** A comparison has found differences that need an operator. */
export const differencesFound = job<{ id: string }>('billing.differences_found', { key: ({ id }) => id });

/** Newer payments are left to callbacks and the sweep. */
const YOUNG_MS = 15 * 60_000;
/** Each comparison includes the end of the one before, because clocks differ. */
const OVERLAP_MS = 60 * 60_000;
const DAY_MS = 86_400_000;
const SIZE = 50;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export async function startRun(tx: Tx, young_ms = YOUNG_MS): Promise<queries.Run> {
  const open = await queries.openRun(tx);
  if (open) return open;
  const until_date = new Date(tx.now.getTime() - young_ms);
  const last = await queries.findLastEnd(tx);
  const end = last === null ? until_date.getTime() - DAY_MS : parseTimestamp(last).getTime();
  const from_date = new Date(Math.min(end - OVERLAP_MS, until_date.getTime()));
  const started = await queries.insertRun(tx, { id: newId(), from_date, until_date });
  if (started) await emitToOperators(tx, reconciliationChanged, { id: started.id });
  // Another worker has started one in the meantime.
  return started ?? (await queries.openRun(tx))!;
}

export async function reconcile(kernel: Kernel, young_ms = YOUNG_MS): Promise<void> {
  const provider = await findProvider(kernel);
  if (!provider) return;
  let run: queries.Run | null = await kernel.db.tx((tx) => startRun(tx, young_ms));
  while (run && run.stage !== 'done') run = await runPage(kernel, provider, run);
}

interface PageEnd {
  /** Null if the stage has ended. */
  position: string | null;
  payments_count: number;
}

/** Compares one page and stores the position. Returns null if another worker has moved the comparison. */
async function runPage(kernel: Kernel, provider: PaymentProvider, run: queries.Run): Promise<queries.Run | null> {
  const { position, payments_count } = await readStage(kernel, provider, run);
  failpoint('after_reconciled_page');
  if (position !== null && position === run.position) throw new Error('the payment provider repeats a page');
  const stage = position === null ? queries.STAGES[queries.STAGES.indexOf(run.stage) + 1]! : run.stage;
  return kernel.db.tx(async (tx) => {
    const next = await queries.moveRun(tx, run, { stage, position }, payments_count);
    if (next?.stage === 'done') {
      await emitToOperators(tx, reconciliationChanged, { id: run.id });
      if ((await queries.findRun(tx, run.id)).differences_count > 0)
        await enqueue(tx, differencesFound, { id: run.id });
    }
    return next;
  });
}

async function readStage(kernel: Kernel, provider: PaymentProvider, run: queries.Run): Promise<PageEnd> {
  const { stage, position } = run;
  const range = { from: parseTimestamp(run.from_date), until: parseTimestamp(run.until_date), cursor: position };
  const compare = (state: ProviderPayment) => kernel.db.tx((tx) => comparePayment(tx, run.id, state));
  if (stage === 'payments') {
    const { payments, cursor } = await provider.listPayments(range);
    for (const state of payments) await compare(state);
    return { position: cursor, payments_count: payments.length };
  }
  if (stage === 'refunds' || stage === 'disputes') {
    const { provider_ids, cursor } = await provider.listChanges(stage, range);
    for (const id of provider_ids) {
      // A payment that the provider no longer knows is found among ours.
      const state = await provider.findPayment(id);
      if (state) await compare(state);
    }
    return { position: cursor, payments_count: 0 };
  }
  const rows = await (stage === 'ours' ? readOurPage : stage === 'disputed' ? readDisputedPage : openPage)(kernel, run);
  for (const row of rows) {
    if (row.is_seen) continue;
    const state = await provider.findPayment(row.provider_id);
    if (state) await compare(state);
    else await kernel.db.tx((tx) => compareMissing(tx, run.id, row));
  }
  return { position: rows.length < SIZE ? null : rows.at(-1)!.position, payments_count: 0 };
}

interface OurPayment {
  account_id: string | null;
  payment_id: string | null;
  provider_id: string;
  is_seen: boolean;
  position: string;
}

const readOurPage = async ({ db }: Kernel, run: queries.Run): Promise<OurPayment[]> =>
  (await queries.listOurPayments(db, run, SIZE)).map(({ id, ...row }) => ({ ...row, payment_id: id }));

const readDisputedPage = async ({ db }: Kernel, run: queries.Run): Promise<OurPayment[]> =>
  (await queries.listDisputedPayments(db, run, SIZE)).map(({ id, ...row }) => ({
    ...row,
    payment_id: id,
    is_seen: false,
  }));

/** The open differences of earlier comparisons, which may no longer exist. */
const openPage = async ({ db }: Kernel, run: queries.Run): Promise<OurPayment[]> =>
  (await queries.openPayments(db, run, SIZE)).map(({ id, ...row }) => ({ ...row, is_seen: false, position: id }));

const findRow = async (tx: Tx, { account_id, payment_id }: { account_id: string | null; payment_id: string | null }) =>
  account_id !== null && payment_id !== null && UUID.test(account_id) && UUID.test(payment_id)
    ? lockPayment(tx, account_id, payment_id)
    : null;

/** Applies the state, and stores what was and what is still different. */
async function comparePayment(tx: Tx, reconciliation_id: string, state: ProviderPayment): Promise<void> {
  const row = await findRow(tx, state);
  const { provider_id } = state;
  // The provider can have several payments for this one. Only one of them is stored here.
  if (!row || (row.provider_id ?? provider_id) !== provider_id)
    return storeOpen(tx, { reconciliation_id, provider_id, row: null }, unknownPayment(state));
  await queries.markSeen(tx, row.account_id, row.id, reconciliation_id);
  const amounts = compareAmounts(row, state);
  const found = { reconciliation_id, provider_id, row };
  if (amounts.length > 0) return storeOpen(tx, found, hasMoved(row) || state.status === 'succeeded' ? amounts : []);
  const before = compareProgress(row, state);
  const after = compareProgress((await applyState(tx, state)) ?? row, state);
  for (const difference of before)
    if (!after.some(({ kind }) => kind === difference.kind)) await store(tx, found, difference, 'settled');
  await storeOpen(tx, found, after);
}

async function compareMissing(tx: Tx, reconciliation_id: string, payment: OurPayment): Promise<void> {
  const row = await findRow(tx, payment);
  const { provider_id } = payment;
  const isOurs = row?.provider_id === provider_id;
  await storeOpen(tx, { reconciliation_id, provider_id, row: isOurs ? row : null }, isOurs ? missingPayment(row) : []);
}

interface Found {
  reconciliation_id: string;
  provider_id: string;
  row: PaymentRow | null;
}

/** Stores the differences that exist, and settles all others of the payment. */
async function storeOpen(tx: Tx, found: Found, differences: readonly Difference[]): Promise<void> {
  await queries.settleGone(tx, found.provider_id, differences);
  for (const difference of differences) await store(tx, found, difference, 'open');
}

const store = (
  tx: Tx,
  { row, ...found }: Found,
  difference: Difference,
  status: 'open' | 'settled',
): Promise<unknown> =>
  queries.insertDifference(tx, {
    ...{ ...found, ...difference, id: newId(), status },
    ...{ account_id: row?.account_id ?? null, payment_id: row?.id ?? null },
  });
