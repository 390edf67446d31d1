/**
 * Acts on a balance that has crossed a level: refills a sub-account from its parent, sends credit alerts, and starts an
 * automatic top-up. The payment is stored under the lock of the balance before the card is charged, and a second one
 * cannot exist while it is open. So each crossing leads to one charge, despite crashes and races: a repeated job
 * continues the stored payment, whose ID is the key of the provider's call.
 */

import { CENT, MAXIMUM_TOP_UP, MINIMUM_TOP_UPS, taxAmount } from '@parley/contract/billing/amounts.ts';
import { autoTopUpChanged } from '@parley/contract/billing/low_balance.ts';
import { newId } from '../../kernel/clock.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import { failpoint } from '../../kernel/failpoint.ts';
import { enqueue } from '../../kernel/jobs/jobs.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { emit } from '../../kernel/live/events.ts';
import { findProvider } from '../cards/cards.ts';
import { followDebt } from '../dunning/cases.ts';
import { type BalanceRow, balanceColumns, balanceCrossed, findBalance } from '../ledger/balance.ts';
import { requireCustomer } from '../payments/intents.ts';
import { findCard } from '../payments/method_queries.ts';
import { insertPayment, type PaymentRow } from '../payments/queries.ts';
import { applyState } from '../payments/settle.ts';
import { findBuyer } from '../payments/tax.ts';
import { sendAlerts } from './alerts.ts';
import {
  type Row as AutoTopUpRow,
  delayAutoTopUp,
  findAutoTopUp,
  readUsage,
  spendsUnusually,
  stopAutoTopUp,
  type Usage,
} from './auto_top_up_queries.ts';
import { listLevels, storeLevels } from './levels.ts';
import { mailLimit, mailStopped, mailUnusual } from './mails.ts';
import { refill } from './refill.ts';
import { findRefill, lockBalances } from './refill_queries.ts';

/** The pause after a top-up, in which messages that were waiting can be paid. */
const PAUSE_SECONDS = 600;

export async function checkBalance(kernel: Kernel, account_id: string): Promise<void> {
  const payment = await kernel.db.tx((tx) => decide(tx, kernel, account_id));
  if (!payment) return;
  failpoint('top_up.stored');
  await chargeStored(kernel, payment);
  // The next levels depend on the result.
  await kernel.db.tx((tx) => decide(tx, kernel, account_id));
}

/** Returns the payment to charge, if there is one: a new one, or one that a crash has interrupted. */
async function decide(tx: Tx, kernel: Kernel, account_id: string): Promise<PaymentRow | null> {
  const refillLevel = await refillLocked(tx, kernel, account_id);
  const balance = await tx.maybeOne<BalanceRow>(
    sql`select ${balanceColumns} from balances b where b.account_id = ${account_id} for update`,
  );
  if (!balance) return null;
  const alerts = await sendAlerts(tx, kernel, balance, await listLevels(tx, account_id));
  const auto = await findAutoTopUp(tx, account_id, tx.now);
  if (!auto?.enabled || auto.stop_reason !== null) {
    const debt = await followDebt(tx, balance, isRefused(auto));
    await storeLevels(tx, account_id, [...alerts, debt], [refillLevel]);
    return null;
  }
  const outcome = await nextTopUp(tx, kernel, auto, balance, await readUsage(tx, account_id));
  const current = await findAutoTopUp(tx, account_id, tx.now);
  const topUpLevel = current?.enabled && current.stop_reason === null && outcome === 'ready';
  const debt = await followDebt(tx, balance, isRefused(current));
  await storeLevels(tx, account_id, [...alerts, debt], [refillLevel, topUpLevel ? current.threshold_micros : null]);
  return typeof outcome === 'object' ? outcome : null;
}

const isRefused = (auto: AutoTopUpRow | null): boolean => auto?.enabled === true && auto.stop_reason === 'card_refused';

/** Refills a sub-account first, so that no alert is sent and no card is charged for a balance that is covered. */
async function refillLocked(tx: Tx, kernel: Kernel, account_id: string): Promise<number | null> {
  const parent_id = (await findRefill(tx, account_id, tx.now))?.parent_id;
  if (!parent_id) return null;
  await lockBalances(tx, [account_id, parent_id]);
  const row = await findRefill(tx, account_id, tx.now);
  const balance = await findBalance(tx, account_id);
  return row && balance ? refill(tx, kernel, row, balance.available_micros) : null;
}

async function nextTopUp(
  tx: Tx,
  kernel: Kernel,
  auto: AutoTopUpRow,
  balance: BalanceRow,
  usage: Usage,
): Promise<PaymentRow | 'ready' | 'waits'> {
  const { account_id } = auto;
  if (usage.last_status === 'PENDING') return findOpen(tx, account_id);
  // The customer hears of the end of the review, and so does this job.
  if (usage.last_status === 'FROZEN') return 'waits';
  if (usage.last_status === 'FAILED') {
    await stopAutoTopUp(tx, account_id, 'card_refused');
    await mailStopped(tx, kernel, account_id, usage.last_id!, usage.last_failure);
    emit(tx, autoTopUpChanged, account_id, { id: account_id });
    return 'waits';
  }
  if (!auto.is_due) return 'waits';
  if (usage.last_seconds < PAUSE_SECONDS)
    return delay(tx, account_id, new Date(tx.now.getTime() + (PAUSE_SECONDS - usage.last_seconds) * 1000));
  if (balance.available_micros >= auto.threshold_micros) return 'ready';
  if (await spendsUnusually(tx, account_id)) {
    await stopAutoTopUp(tx, account_id, 'unusual_spending');
    await mailUnusual(tx, kernel, account_id);
    emit(tx, autoTopUpChanged, account_id, { id: account_id });
    return 'waits';
  }
  if (usage.today >= auto.daily_limit) return atLimit(tx, kernel, auto, 'day');
  const buyer = await findBuyer(tx, account_id);
  const amount_micros = topUpAmount(auto, balance.available_micros, MINIMUM_TOP_UPS[buyer.currency]);
  if (usage.month_micros + amount_micros > auto.monthly_limit_micros) return atLimit(tx, kernel, auto, 'month');
  const inserted = await insertPayment(tx, {
    ...{ account_id, id: newId(), type: 'Auto Top Up', currency: buyer.currency },
    amount_micros,
    tax_micros: taxAmount(amount_micros, buyer.rate),
    tax_rate: buyer.rate,
    method_id: auto.method_id,
  });
  return inserted ?? findOpen(tx, account_id);
}

/** A fixed amount, or what the balance lacks to its target in whole cents, and never more than one payment can have. */
function topUpAmount({ amount_micros, target_micros }: AutoTopUpRow, available: number, minimum: number): number {
  if (target_micros === null) return amount_micros;
  const missing = Math.ceil((target_micros - available) / CENT) * CENT;
  return Math.min(MAXIMUM_TOP_UP, Math.max(minimum, missing));
}

const findOpen = (tx: Tx, account_id: string) =>
  tx.one<PaymentRow>(sql`
    select *, tax_rate::float8 as tax_rate from payments
    where account_id = ${account_id} and type = 'Auto Top Up' and status = 'PENDING'`);

async function delay(tx: Tx, account_id: string, start_after: Date): Promise<'waits'> {
  await delayAutoTopUp(tx, account_id, start_after);
  await enqueue(tx, balanceCrossed, { account_id }, { start_after });
  emit(tx, autoTopUpChanged, account_id, { id: account_id });
  return 'waits';
}

async function atLimit(tx: Tx, kernel: Kernel, auto: AutoTopUpRow, unit: 'day' | 'month'): Promise<'waits'> {
  const { now } = tx;
  const next =
    unit === 'day'
      ? Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1)
      : Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
  await mailLimit(tx, kernel, auto.account_id, unit, new Date(next));
  return delay(tx, auto.account_id, new Date(next));
}

/** Charges the stored payment. The provider's key is its id, so a repeated call charges nothing. */
async function chargeStored(kernel: Kernel, payment: PaymentRow): Promise<void> {
  const provider = await findProvider(kernel);
  if (!provider) return;
  const { account_id } = payment;
  const card = payment.method_id && (await findCard(kernel.db, account_id, payment.method_id));
  if (!card) {
    await kernel.db.tx(async (tx) => {
      await stopAutoTopUp(tx, account_id, 'card_deleted');
      await tx.run(sql`
        update payments set status = 'FAILED', failure = 'The card was deleted.'
        where account_id = ${account_id} and id = ${payment.id} and status = 'PENDING' and provider_id is null`);
    });
    return;
  }
  const state =
    payment.provider_id === null
      ? await provider.chargeCard({
          ...{ account_id, payment_id: payment.id, currency: payment.currency, save_card: false },
          customer_id: await requireCustomer(kernel, provider, account_id),
          amount_cents: (payment.amount_micros + payment.tax_micros) / CENT,
          card_id: card.provider_id,
        })
      : await provider.readPayment(payment.provider_id);
  failpoint('top_up.charged');
  await kernel.db.tx((tx) => applyState(tx, state));
}
