/** Cancels a message that no carrier has received yet. */
import { Problem } from '@parley/contract/problem.ts';
import { type Queryable, sql, type Tx } from '../../kernel/db/db.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import { applyStatuses } from '../status/status.ts';
import { lockPair, withdrawMessage } from '../thread/conversations.ts';
import type { Pair } from '../thread/thread_select.ts';

/**
 * Throws MESSAGE_CANCEL_NOT_ALLOWED if a worker or a carrier may already have the message; nothing is changed in that
 * case.
 */
export async function cancelMessage(tx: Tx, actor: Actor, id: string): Promise<void> {
  const { account_id } = actor;
  const message = await findMessage(tx, account_id, id);
  if (!message) throw new Problem('MESSAGE_NOT_FOUND');
  // Writers lock conversations before messages and balances.
  await lockPair(tx, message);
  if (!(await removeFromQueue(tx, account_id, id))) throw new Problem('MESSAGE_CANCEL_NOT_ALLOWED');
  await applyStatuses(tx, [{ account_id, message_id: id, status: 'canceled', source: 'person' }]);
  await withdrawMessage(tx, message, id);
}

const findMessage = (db: Queryable, account_id: string, id: string) =>
  db.maybeOne<Pair>(sql`
    select account_id, sender_id, number from messages where account_id = ${account_id} and id = ${id}`);

/** Returns false if a worker has claimed the message, or a carrier has one of its parts or fallback steps. */
const removeFromQueue = async (tx: Tx, account_id: string, id: string): Promise<boolean> =>
  (await tx.run(sql`
    delete from dispatch
    where account_id = ${account_id} and message_id = ${id} and stage in ('queued', 'review')
      and sent_parts = '{}'
      and not exists (
        select from fallbacks f
        where f.account_id = ${account_id} and f.message_id = ${id} and f.handed)`)) > 0;
