/** Reactions to messages. They need an open session, like other messages without a template. */
import { channelRules } from '@parley/contract/channels/index.ts';
import { isSessionOpen } from '@parley/contract/inbox/inbox.ts';
import type { Message } from '@parley/contract/messages/messages.ts';
import { Problem } from '@parley/contract/problem.ts';
import { requireSending } from '../../accounts/accounts.ts';
import type { Tx } from '../../kernel/db/db.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import { setReaction } from '../../messages/messages.ts';
import { getConversation } from '../inbox.ts';

export async function react(
  tx: Tx,
  actor: Actor,
  id: string,
  { message_id, emoji }: { message_id: string; emoji: string },
): Promise<Message> {
  const { channel, session, stopped, sender_id, number } = await getConversation(tx, actor, id);
  await requireSending(tx, actor.account_id);
  if (!channelRules(channel).reactions) throw new Problem('REACTION_NOT_SUPPORTED');
  if (stopped) throw new Problem('RECIPIENT_BLOCKED');
  if (!isSessionOpen(session, tx.now)) throw new Problem('CONVERSATION_CLOSED');
  return setReaction(tx, { account_id: actor.account_id, sender_id, number }, message_id, emoji);
}
