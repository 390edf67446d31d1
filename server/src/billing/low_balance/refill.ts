/**
 * Refills a sub-account from the balance of its parent. The refill and what was moved today are stored in the
 * transaction that moves the money, under the locks of both balances. So each crossing of the threshold leads to one
 * transfer, despite races and crashes: a repeated job finds a balance above the threshold.
 */
import { refillChanged } from '@parley/contract/billing/refills.ts';
import { Problem } from '@parley/contract/problem.ts';
import { mailOwners } from '../../accounts/accounts.ts';
import { newId } from '../../kernel/clock.ts';
import type { Tx } from '../../kernel/db/db.ts';
import { failpoint } from '../../kernel/failpoint.ts';
import { enqueue } from '../../kernel/jobs/jobs.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { emit } from '../../kernel/live/events.ts';
import { balanceCrossed } from '../ledger/balance.ts';
import { transferMoney } from '../ledger/transfers.ts';
import { formatAmount } from '../payments/mails.ts';
import { addRefilled, delayRefill, type RefillRow, stopRefill } from './refill_queries.ts';

type Config = Pick<Kernel, 'config'>;

/**
 * Refills the account if its balance is below the threshold. Returns the level below which the next refill starts, or
 * null if none may start. The caller has locked both balances and read the row after that.
 */
export async function refill(tx: Tx, kernel: Config, row: RefillRow, available_micros: number): Promise<number | null> {
  if (!row.enabled || row.stop_reason !== null || !row.is_due) return null;
  const { threshold_micros, account_id } = row;
  if (available_micros >= threshold_micros) return threshold_micros;
  const steps = Math.ceil((threshold_micros - available_micros) / row.amount_micros);
  const allowed = Math.floor((row.daily_limit_micros - row.today_micros) / row.amount_micros);
  const amount_micros = Math.min(steps, allowed) * row.amount_micros;
  if (amount_micros > 0 && !(await moveAmount(tx, row, amount_micros))) {
    await stopRefill(tx, account_id);
    await mailShort(tx, kernel, row);
    emit(tx, refillChanged, row.parent_id, { id: account_id });
    return null;
  }
  if (amount_micros > 0) await addRefilled(tx, row, amount_micros);
  failpoint('refill.moved');
  emit(tx, refillChanged, row.parent_id, { id: account_id });
  if (steps <= allowed) return threshold_micros;
  await waitForTomorrow(tx, kernel, row);
  return null;
}

/** Returns false if the balance of the parent does not cover the amount. */
async function moveAmount(tx: Tx, row: RefillRow, amount_micros: number): Promise<boolean> {
  try {
    await transferMoney(tx, {
      payer: { account_id: row.parent_id, company_name: row.parent_name },
      payee: { account_id: row.account_id, company_name: row.company_name },
      ...{ amount_micros, key: `refill:${newId()}`, note: ' (automatic refill)' },
    });
    return true;
  } catch (error) {
    if (error instanceof Problem && error.name === 'BALANCE_NOT_ENOUGH') return false;
    throw error;
  }
}

async function waitForTomorrow(tx: Tx, kernel: Config, row: RefillRow): Promise<void> {
  const { now } = tx;
  const next = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1));
  await delayRefill(tx, row.account_id, next);
  await enqueue(tx, balanceCrossed, { account_id: row.account_id }, { start_after: next });
  const day = next.toISOString().slice(0, 10);
  await mail(tx, kernel, row, {
    subject: `Automatic refill of ${row.company_name} has reached its limit`,
    paragraphs: [
      `The automatic refill of ${row.company_name} has reached its limit of ` +
        `${formatAmount(row.daily_limit_micros, row.currency)} per day. The next refill can start on ${day} at ` +
        '00:00 UTC.',
      'Check whether the spending is expected. You can raise the limit or transfer funds at any time.',
    ],
    dedupe_key: `refill limit ${row.account_id} ${day}`,
  });
}

const mailShort = (tx: Tx, kernel: Config, row: RefillRow): Promise<void> =>
  mail(tx, kernel, row, {
    subject: `Automatic refill of ${row.company_name} has stopped`,
    paragraphs: [
      `The balance of ${row.parent_name} does not cover the automatic refill of ${row.company_name}. No further ` +
        'refill will start.',
      'Add funds, then save the automatic refill of the sub-account to start it again.',
    ],
    dedupe_key: `refill stopped ${newId()}`,
  });

interface Words {
  subject: string;
  paragraphs: string[];
  dedupe_key: string;
}

/** Mails the owners of the parent, which pays. */
const mail = (tx: Tx, { config }: Config, row: RefillRow, words: Words): Promise<void> =>
  mailOwners(
    tx,
    { config },
    { id: row.parent_id, company_name: row.parent_name },
    { ...words, action: { label: 'Open sub-accounts', path: `/subaccounts?open=${row.account_id}` } },
  );
