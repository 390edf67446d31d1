/**
 * Derives the purpose of a message for channels that charge by purpose, and decides whether the message may be sent
 * now. An inbound message opens a session in which any message is allowed; outside a session, the channel's rules
 * apply.
 */
import type { ChosenPurpose, PurposeRules } from '@parley/contract/channels/channel.ts';
import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { type Content, NO_CONTENT, type Purpose } from '@parley/contract/messages/content.ts';
import { Problem, type ProblemName } from '@parley/contract/problem.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import type { ComposedMessage } from '../model/composed_message.ts';
import { sessionLimit } from '../thread/conversation_select.ts';

interface PurposeRequest {
  account_id: string;
  sender_id: string;
  channel: ChannelName;
  numbers: readonly string[];
  /** The time when the message will be sent. */
  send_date: Date;
}

/**
 * Returns each number's purpose, or the problem code if the message may not be sent. Returns null for channels without
 * purposes.
 */
export async function resolvePurposes(
  tx: Tx,
  message: ComposedMessage,
  request: PurposeRequest,
): Promise<((number: string) => Purpose | ProblemName) | null> {
  const { session, purposes } = channelRules(request.channel);
  if (!session) return null;
  const content = message.content ?? NO_CONTENT;
  if (!purposes) {
    if (content.template) return () => content.purpose ?? 'utility';
    const open = await openSessions(tx, request);
    return (number) => (open.has(number) ? 'service' : 'CONVERSATION_CLOSED');
  }
  if (message.purpose) {
    requirePurpose(purposes, message.purpose, content);
    return () => message.purpose!;
  }
  const outside = purposes.outside(content);
  if (!purposes.fitsSession(content, message.text)) return () => outside;
  const open = await openSessions(tx, request);
  return (number) => (open.has(number) ? 'session' : outside);
}

/** Checks that a message fits the purpose that its author requested. */
export function requirePurpose(rules: PurposeRules, purpose: ChosenPurpose, content: Content): void {
  const refusal = rules.refusal(purpose, content);
  if (refusal) throw new Problem('MESSAGE_TYPE_NOT_ALLOWED', { field: 'purpose', message: refusal });
}

/** The lock prevents two concurrent messages from both using the last free place in a limited session. */
async function openSessions(tx: Tx, { account_id, sender_id, numbers, send_date }: PurposeRequest) {
  const rows = await tx.rows<{ number: string; reached: boolean }>(sql`
    select c.number, limited.reached
    from conversations c
    join senders s on s.account_id = c.account_id and s.id = c.sender_id
    cross join lateral (${sessionLimit}) limited
    where c.account_id = ${account_id} and c.sender_id = ${sender_id} and c.number = any(${numbers}::text[])
      and c.session_until > ${send_date}
    order by c.id for update of c`);
  return new Set(rows.filter(({ reached }) => !reached).map(({ number }) => number));
}
