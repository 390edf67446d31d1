/** Checks the message that a new message quotes. */
import { Problem } from '@parley/contract/problem.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import type { ComposedMessage } from '../model/composed_message.ts';

/** A quoted message must be in the conversation with the only recipient, and the carrier must know it. */
export async function requireQuoted(
  tx: Tx,
  { account_id, sender_id }: { account_id: string; sender_id: string },
  { content }: ComposedMessage,
  people: readonly { number: string }[],
): Promise<void> {
  if (!content?.answers || people.length === 0) return;
  const quoted = await tx.maybeOne<{ number: string }>(sql`
    select m.number from messages m
    where m.account_id = ${account_id} and m.id = ${content.answers} and m.sender_id = ${sender_id}
      and exists (select from submissions s where s.account_id = m.account_id and s.message_id = m.id)`);
  if (people.some(({ number }) => number !== quoted?.number)) throw new Problem('QUOTED_MESSAGE_NOT_FOUND');
}
