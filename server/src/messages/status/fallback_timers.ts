/** Moves messages on to their next fallback step when their time is up. Runs once a second. */
import { type Db, sql } from '../../kernel/db/db.ts';
import { failpoint } from '../../kernel/failpoint.ts';
import { applyStatuses, type LockedMessage, lockColumns } from './status.ts';

const BATCH = 100;

/**
 * Moves the due messages on to their next step. Several workers may run this at once: the lock on each message ensures
 * that it moves only once.
 */
export async function passOnDue(db: Db): Promise<void> {
  for (let count = BATCH; count === BATCH; ) {
    count = await db.tx(async (tx) => {
      const due = await tx.rows<LockedMessage>(sql`
        select ${lockColumns}
        from (select account_id, message_id from fallbacks where due_date <= ${tx.now} order by due_date
          limit ${BATCH}) f
        join messages m on m.account_id = f.account_id and m.id = f.message_id
        order by m.account_id, m.id
        for update of m skip locked`);
      await applyStatuses(
        tx,
        due.map(({ account_id, id }) => ({
          account_id,
          message_id: id,
          status: 'enroute',
          source: 'worker',
          due: true,
        })),
        due,
      );
      if (due.length > 0) failpoint('before_pass_commit');
      return due.length;
    }, 'by index');
    if (count > 0) failpoint('after_pass_commit');
  }
}
