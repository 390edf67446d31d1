/** Cancels a message that no carrier has received yet. */
import type { Message } from '@parley/contract/messages/messages.ts';
import { Problem } from '@parley/contract/problem.ts';
import { type Queryable, sql, type Tx } from '../../kernel/db/db.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import { applyStatuses } from '../status/status.ts';

/**
 * Throws MESSAGE_CANCEL_NOT_ALLOWED if a worker or a carrier may already have the message; nothing is changed in that
 * case.
 */
export async function cancelMessage(tx: Tx, actor: Actor, id: string): Promise<void> {
  const { account_id } = actor;
  if (!(await messageStatus(tx, account_id, id))) throw new Problem('MESSAGE_NOT_FOUND');
  if (!(await removeFromQueue(tx, account_id, id))) throw new Problem('MESSAGE_CANCEL_NOT_ALLOWED');
  await applyStatuses(tx, [{ account_id, message_id: id, status: 'canceled', source: 'person' }]);
}

const messageStatus = (db: Queryable, account_id: string, id: string) =>
  db.maybeOne<{ status: Message['status'] }>(
    sql`select status from messages where account_id = ${account_id} and id = ${id}`,
  );

/** Returns false if a worker has claimed the message, or a carrier has one of its parts or fallback steps. */
const removeFromQueue = async (tx: Tx, account_id: string, id: string): Promise<boolean> =>
  (await tx.run(sql`
    delete from dispatch
    where account_id = ${account_id} and message_id = ${id} and stage = 'queued' and sent_parts = '{}'
      and not exists (
        select from fallbacks f
        where f.account_id = ${account_id} and f.message_id = ${id} and f.handed)`)) > 0;
