/**
 * Overdue balances. A case opens when a balance is below zero or the card of an auto top-up is refused, and closes
 * when it is paid. Everything happens under the lock of the balance, so a payment and a step never overlap. Each step
 * is a row, which is stored with its email, so a repeated or interrupted job sends nothing twice.
 */
import type { DunningStep } from '@parley/contract/admin/dunning.ts';
import { overdueChanged } from '@parley/contract/billing/money_events.ts';
import { mailOwners, setPaymentOverdue } from '../../accounts/accounts.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import { failpoint } from '../../kernel/failpoint.ts';
import { enqueue, job } from '../../kernel/jobs/jobs.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { emit } from '../../kernel/live/events.ts';
import { type BalanceRow, balanceColumns, balanceCrossed } from '../ledger/balance.ts';
import { formatAmount } from '../payments/mails.ts';
import * as queries from './queries.ts';

type Case = queries.Case;

/** Implemented by `campaigns`, a later module: it resumes the campaigns that a pause has stopped. */
export const sendingResumed = job<{ account_id: string }>('billing.sending_resumed', { retry: 10 });

export const dunningJob = job('billing.dunning', { cron: '*/10 * * * *', retry: 0, expire_seconds: 3_600 });

/**
 * Opens or closes the case of a balance, which the caller has locked. Returns the level of the balance at which it has
 * to be looked at again: above it if `sent`, and below it otherwise.
 */
export async function followDebt(
  tx: Tx,
  balance: BalanceRow,
  card_refused: boolean,
): Promise<{ threshold_micros: number; sent: boolean }> {
  const { account_id, available_micros } = balance;
  const facts = { owes: available_micros < 0, card_refused };
  const level = { threshold_micros: 0, sent: facts.owes };
  const existing = await queries.openCase(tx, account_id);
  if (!existing) {
    const settings = await queries.readSettings(tx);
    if (!settings.enabled || (!facts.owes && !facts.card_refused)) return level;
    await queries.insertCase(tx, account_id, facts);
    await planNext(tx, (await queries.openCase(tx, account_id))!, settings.steps);
    return level;
  }
  if (facts.owes || facts.card_refused) {
    await queries.updateFacts(tx, existing, facts);
    // Only a debt pauses sending.
    if (!facts.owes) await resume(tx, existing);
    return level;
  }
  await resume(tx, existing);
  await queries.closeCase(tx, existing);
  announce(tx, balance, 'settled');
  return level;
}

/** Sets when the next step is due. Exempt accounts have none. */
async function planNext(
  tx: Tx,
  one: Case,
  steps: readonly DunningStep[],
  not_before: Date | null = null,
): Promise<void> {
  const next = one.is_exempt ? undefined : steps[one.step];
  await queries.setNext(tx, one, next?.days ?? null, not_before);
}

async function pause(tx: Tx, one: Case): Promise<void> {
  await queries.setPause(tx, one, true);
  await setPaymentOverdue(tx, one.account_id, true);
}

async function resume(tx: Tx, one: Case): Promise<void> {
  if (one.pause_date === null) return;
  await queries.setPause(tx, one, false);
  await setPaymentOverdue(tx, one.account_id, false);
  await enqueue(tx, sendingResumed, { account_id: one.account_id });
}

type Status = 'reminded' | 'paused' | 'extended' | 'settled';
function announce(tx: Tx, { account_id, available_micros, currency }: BalanceRow, status: Status): void {
  emit(tx, overdueChanged, account_id, {
    ...{ id: account_id, status, currency, owed_micros: Math.max(0, -available_micros) },
  });
}

const lockBalance = (tx: Tx, account_id: string) =>
  tx.maybeOne<BalanceRow>(sql`select ${balanceColumns} from balances b where b.account_id = ${account_id} for update`);

const BATCH = 500;
/** The least time between two steps, so that a worker that was down for days does not send them together. */
const PAUSE_MS = 20 * 3_600_000;

/** Does the steps that are due, and finds balances that are below zero without a case. */
export async function remind(kernel: Kernel): Promise<void> {
  const { db, clock } = kernel;
  const { enabled } = await queries.readSettings(db);
  if (!enabled) return;
  for (let after: string | null = null; ; ) {
    const rows = await queries.listUnfollowedAccounts(db, after, BATCH);
    const owing = rows.filter(({ owes }) => owes);
    if (owing.length > 0)
      await db.tx(async (tx) => {
        for (const { account_id } of owing) await enqueue(tx, balanceCrossed, { account_id });
      });
    if (rows.length < BATCH) break;
    after = rows.at(-1)!.account_id;
  }
  for (;;) {
    const due = await queries.listDueAccounts(db, clock.now(), BATCH);
    for (const { account_id } of due) await db.tx((tx) => doStep(tx, kernel, account_id));
    if (due.length < BATCH) return;
  }
}

/** Does one step of an account. A step that was missed for days is done once, and the next one on a later day. */
export async function doStep(tx: Tx, kernel: Pick<Kernel, 'config'>, account_id: string): Promise<void> {
  const balance = await lockBalance(tx, account_id);
  const one = await queries.openCase(tx, account_id);
  if (!balance || !one || one.next_date === null) return;
  const { steps } = await queries.readSettings(tx);
  const step = one.is_exempt ? undefined : steps[one.step];
  if (!step) return void (await queries.setNext(tx, one, null));
  const pauses = step.pauses && balance.available_micros < 0;
  const isFirst = await queries.recordStep(tx, one, one.step + 1);
  if (pauses && one.pause_date === null) await pause(tx, one);
  failpoint('before_dunning_commit');
  await planNext(tx, { ...one, step: one.step + 1 }, steps, new Date(tx.now.getTime() + PAUSE_MS));
  if (!isFirst) return;
  announce(tx, balance, pauses ? 'paused' : 'reminded');
  await mailStep(tx, kernel, one, balance, step);
}

async function mailStep(
  tx: Tx,
  { config }: Pick<Kernel, 'config'>,
  { account_id, id, step: done, company_name, card_refused }: Case,
  { available_micros, currency }: BalanceRow,
  { subject, text }: DunningStep,
): Promise<void> {
  const owes = available_micros < 0;
  const facts = [
    ...(owes ? [`${company_name} owes ${formatAmount(-available_micros, currency)}.`] : []),
    ...(card_refused ? [`The card for the auto top-up of ${company_name} was declined.`] : []),
  ];
  await mailOwners(
    tx,
    { config },
    { id: account_id, company_name },
    {
      subject,
      paragraphs: [...facts, ...text.split(/\n{2,}/)],
      action: owes
        ? { label: 'Add funds', path: '/add-funds' }
        : { label: 'Open auto top-up', path: '/billing/auto-top-up' },
      dedupe_key: `dunning ${id} ${done + 1}`,
    },
  );
}

/** Postpones the steps, or ends the postponement. Sending continues until then, and is paused again afterward. */
export async function extend(tx: Tx, account_id: string, date: Date | null): Promise<boolean> {
  const balance = await lockBalance(tx, account_id);
  const one = await queries.openCase(tx, account_id);
  if (!balance || !one) return false;
  await queries.setExtension(tx, one, date);
  const { steps } = await queries.readSettings(tx);
  const pausing = steps.findIndex(({ pauses }) => pauses);
  const wasPaused = one.pause_date !== null;
  if (wasPaused && (date !== null || one.is_exempt)) {
    await resume(tx, one);
    await queries.reopenStep(tx, one, pausing < 0 ? one.step : pausing);
    await planNext(tx, { ...one, step: pausing < 0 ? one.step : pausing }, steps);
  } else await planNext(tx, one, steps);
  announce(tx, balance, 'extended');
  return true;
}
