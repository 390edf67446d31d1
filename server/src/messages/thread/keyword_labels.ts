/** Adds the labels of a keyword to the conversation of the message, in the transaction that stores the message. */
import { sql, type Tx } from '../../kernel/db/db.ts';
import { announceConversation } from './conversations.ts';
import type { Pair } from './thread_select.ts';

/** Deleted labels are left out. */
export async function addLabels(tx: Tx, pair: Pair, label_ids: readonly string[]): Promise<void> {
  if (label_ids.length === 0) return;
  const { account_id, sender_id, number } = pair;
  const added = await tx.rows<{ id: string }>(sql`
    with kept as (
      select id from labels where account_id = ${account_id} and id = any(${label_ids}::uuid[]) for key share
    )
    insert into conversation_labels (account_id, conversation_id, label_id)
    select c.account_id, c.id, kept.id from conversations c cross join kept
    where c.account_id = ${account_id} and c.sender_id = ${sender_id} and c.number = ${number}
    on conflict do nothing
    returning conversation_id as id`);
  if (added.length > 0) await announceConversation(tx, { account_id, sender_id, number, id: added[0]!.id });
}
