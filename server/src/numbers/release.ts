/** Releases the rented numbers of a closed account. A reopened account does not get them back. */
import { type Queryable, sql, type Tx } from '../kernel/db/db.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { record } from '../kernel/security/audit.ts';
import { endSender, lockSender } from '../senders/senders.ts';

const WHY = 'The account was closed';

const listRentedNumbers = (db: Queryable, account_id: string) =>
  db.rows<{ sender_id: string }>(sql`
    select r.sender_id from number_rentals r join accounts a on a.id = r.account_id
    where r.account_id = ${account_id} and r.end_date is null and a.close_date is not null order by r.sender_id`);

/** Idempotent. Does nothing if the account was reopened. */
export async function releaseNumbers({ db }: Pick<Kernel, 'db'>, account_id: string): Promise<number> {
  const due = await listRentedNumbers(db, account_id);
  for (const { sender_id } of due) await db.tx((tx) => release(tx, account_id, sender_id));
  return due.length;
}

async function release(tx: Tx, account_id: string, id: string): Promise<void> {
  // Every transaction locks the sender before the rental.
  if (!(await lockSender(tx, account_id, id))) return;
  const rental = await tx.maybeOne<{ number: string; months: number }>(sql`
    select r.number, r.months from number_rentals r join accounts a on a.id = r.account_id
    where r.account_id = ${account_id} and r.sender_id = ${id} and r.end_date is null and a.close_date is not null
    for update of r`);
  if (!rental) return;
  await endSender(tx, account_id, id, WHY);
  record(
    tx,
    { actor: { account_id, user_id: null } },
    {
      action: 'number.released',
      target: { type: 'sender', id, name: rental.number },
      detail: { months: rental.months, reason: WHY },
    },
  );
}
