/**
 * Rented numbers are paid monthly in advance, at the price at the time of purchase. If the balance is too low, the
 * owner keeps the number for a grace period and gets two emails. After that, the number is released. Each rental is
 * renewed in its own transaction, and each month is charged once, no matter how often this runs.
 */
import { GRACE_DAYS } from '@parley/contract/numbers/numbers.ts';
import { Problem } from '@parley/contract/problem.ts';
import { charge } from '../billing/billing.ts';
import { sql, type Tx } from '../kernel/db/db.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { sendMail } from '../kernel/mail/mail.ts';
import { record } from '../kernel/security/audit.ts';
import { addTimelineEntry, announceSender, endSender, findOwner, lockSender } from '../senders/senders.ts';
import { rentalEmail } from './emails.ts';
import { freeCooledNumbers } from './offers.ts';

const DAY_MS = 86_400_000;

interface Rental {
  account_id: string;
  sender_id: string;
  number: string;
  currency: string;
  monthly_micros: number;
  months: number;
  grace_date: string | null;
}

interface Renewals {
  renewed: number;
  late: number;
  released: number;
}

export async function renewNumbers(kernel: Kernel, signal?: AbortSignal): Promise<Renewals> {
  const { db } = kernel;
  const counts: Renewals = { renewed: 0, late: 0, released: 0 };
  let after = '';
  for (;;) {
    const due = await listDueAfter(db, after);
    for (const rental of due) {
      if (signal?.aborted) return counts;
      // If no worker ran for months, each missed month is charged.
      for (let isDue = true; isDue; ) {
        const result = await db.tx((tx) => renewOne(tx, kernel, rental));
        if (result) counts[result]++;
        isDue = result === 'renewed';
      }
      after = rental.sender_id;
    }
    if (due.length === 0) break;
  }
  await db.tx((tx) => freeCooledNumbers(tx));
  return counts;
}

const listDueAfter = (db: Kernel['db'], after: string) =>
  db.rows<{ account_id: string; sender_id: string }>(sql`
    select account_id, sender_id from number_rentals
    where end_date is null and renewal_date <= ${db.clock.now()} and sender_id::text > ${after}
    order by sender_id::text limit 200`);

/** Returns null if the rental is not due, or its grace period is not over. */
async function renewOne(
  tx: Tx,
  kernel: Kernel,
  { account_id, sender_id }: { account_id: string; sender_id: string },
): Promise<keyof Renewals | null> {
  // Every transaction locks the sender before the rental.
  const sender = await lockSender(tx, account_id, sender_id);
  const rental = await tx.maybeOne<Rental>(sql`
    select account_id, sender_id, number, currency, monthly_micros, months, grace_date from number_rentals
    where account_id = ${account_id} and sender_id = ${sender_id} and end_date is null and renewal_date <= ${tx.now}
    for update`);
  if (!sender || !rental) return null;
  const { number, months } = rental;
  try {
    await charge(tx, {
      account_id,
      amount_micros: rental.monthly_micros,
      key: `number:${sender_id}:${months + 1}`,
      note: `Number +${number}: month ${months + 1}`,
    });
  } catch (error) {
    if (!(error instanceof Problem) || error.name !== 'BALANCE_NOT_ENOUGH') throw error;
    return handleUnpaid(tx, kernel, rental);
  }
  // Counted from the start date, so that a short month does not change the day of later renewals.
  await tx.run(sql`
    update number_rentals
    set months = months + 1, grace_date = null, renewal_date = start_date + make_interval(months => months + 1)
    where account_id = ${account_id} and sender_id = ${sender_id}`);
  await addTimelineEntry(tx, account_id, sender_id, 'renewed');
  await announceSender(tx, account_id, sender_id);
  return 'renewed';
}

async function handleUnpaid(tx: Tx, kernel: Kernel, rental: Rental): Promise<keyof Renewals | null> {
  const { account_id, sender_id, number, months } = rental;
  const notifyOwner = async (step: 'late' | 'last_day' | 'released', grace: Date) => {
    const owner = await findOwner(tx, account_id);
    if (owner) await sendMail(tx, rentalEmail(kernel.config, account_id, owner, { ...rental, step, grace }));
  };
  if (rental.grace_date === null) {
    const grace = new Date(tx.now.getTime() + GRACE_DAYS * DAY_MS);
    await tx.run(sql`
      update number_rentals set grace_date = ${grace} where account_id = ${account_id} and sender_id = ${sender_id}`);
    await addTimelineEntry(tx, account_id, sender_id, 'renewal_failed', 'The balance was too low');
    await announceSender(tx, account_id, sender_id);
    await notifyOwner('late', grace);
    return 'late';
  }
  const grace = new Date(`${rental.grace_date.replace(' ', 'T')}Z`);
  if (tx.now < grace) {
    if (grace.getTime() - tx.now.getTime() <= DAY_MS) await notifyOwner('last_day', grace);
    return null;
  }
  await endSender(tx, account_id, sender_id, 'The monthly rental was not paid');
  record(
    tx,
    { actor: { account_id, user_id: null } },
    {
      action: 'number.released',
      target: { type: 'sender', id: sender_id, name: number },
      detail: { months, reason: 'The monthly rental was not paid' },
    },
  );
  await notifyOwner('released', grace);
  return 'released';
}
