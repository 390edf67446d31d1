/**
 * Why a message is sent, where the channel asks and charges by it, and whether it may be sent now: a person's message opens a conversation in which we may
 * write freely; outside it only what the channel allows.
 */
import type { ChosenPurpose, PurposeRules } from '@parley/contract/channels/channel.ts';
import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { type Content, NO_CONTENT, type Purpose } from '@parley/contract/messages/content.ts';
import { Problem, type ProblemName } from '@parley/contract/problem.ts';
import { sql, type Tx } from '../kernel/db/db.ts';
import { limited } from './conversation_select.ts';
import type { Written } from './written.ts';

export interface PurposeQuestion {
  account_id: string;
  sender_id: string;
  channel: ChannelName;
  numbers: readonly string[];
  /** When it leaves. */
  leaves: Date;
}

/** For each number; a code: why not. Null where no purpose is asked for. */
export async function purposesOf(
  tx: Tx,
  message: Written,
  question: PurposeQuestion,
): Promise<((number: string) => Purpose | ProblemName) | null> {
  const { session, purposes } = channelRules(question.channel);
  if (!session) return null;
  const content = message.content ?? NO_CONTENT;
  if (!purposes) {
    if (content.template) return () => content.purpose ?? 'utility';
    const open = await openSessions(tx, question);
    return (number) => (open.has(number) ? 'service' : 'CONVERSATION_CLOSED');
  }
  if (message.purpose) {
    demandPurpose(purposes, message.purpose, content);
    return () => message.purpose!;
  }
  const outside = purposes.outside(content);
  if (!purposes.fitsSession(content, message.text)) return () => outside;
  const open = await openSessions(tx, question);
  return (number) => (open.has(number) ? 'session' : outside);
}

export function demandPurpose(rules: PurposeRules, purpose: ChosenPurpose, content: Content): void {
  const refusal = rules.refusal(purpose, content);
  if (refusal) throw new Problem('MESSAGE_TYPE_NOT_ALLOWED', { field: 'purpose', message: refusal });
}

// Where only so many are allowed, two messages at once must not both be the last one.
async function openSessions(tx: Tx, { account_id, sender_id, numbers, leaves }: PurposeQuestion) {
  const rows = await tx.rows<{ number: string; reached: boolean }>(sql`
    select c.number, limited.reached
    from conversations c
    join senders s on s.account_id = c.account_id and s.id = c.sender_id
    cross join lateral (${limited}) limited
    where c.account_id = ${account_id} and c.sender_id = ${sender_id} and c.number = any(${numbers}::text[]) and c.session_until > ${leaves}
    order by c.id for update of c`);
  return new Set(rows.filter(({ reached }) => !reached).map(({ number }) => number));
}
