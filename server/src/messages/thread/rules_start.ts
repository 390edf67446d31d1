/** Starts the rules of the inbox for conversations that a contact opens, in the transaction that stores the message. */
import { sql, type Tx } from '../../kernel/db/db.ts';
import { enqueue, job } from '../../kernel/jobs/jobs.ts';

export const applyRules = job<{ account_id: string; conversation_id: string }>('inbox.apply_rules', {
  concurrency: 4,
});

export async function startRules(tx: Tx, opened: readonly { account_id: string; id: string }[]): Promise<void> {
  if (opened.length === 0) return;
  const accounts = await tx.rows<{ account_id: string }>(sql`
    select distinct r.account_id from inbox_rules r
    where r.account_id = any(${[...new Set(opened.map(({ account_id }) => account_id))]}::uuid[]) and r.enabled`);
  const withRules = new Set(accounts.map(({ account_id }) => account_id));
  for (const { account_id, id } of opened)
    if (withRules.has(account_id)) await enqueue(tx, applyRules, { account_id, conversation_id: id });
}
