/**
 * Why a message is sent, where the channel asks and charges by it, and whether it may be sent now: a person's message opens a conversation in which we may
 * write freely; outside it only what the channel allows.
 */
import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/common.ts';
import { NO_CONTENT, type Purpose } from '@parley/contract/content.ts';
import { fitsViberSession, fitsViberTransaction } from '@parley/contract/message_rules.ts';
import { type Code, Problem } from '@parley/contract/problem.ts';
import { sql, type Tx } from '../kernel/db.ts';
import type { Written } from './written.ts';

export interface PurposeQuestion {
  account_id: string;
  sender_id: string;
  channel: ChannelName;
  numbers: readonly string[];
  /** When it leaves. */
  leaves: Date;
  /** So many in a row, as agreed with the carrier; null: as usual. */
  in_a_row: number | null;
}

/** For each number; a code: why not. Null where no purpose is asked for. */
export async function purposesOf(
  tx: Tx,
  message: Written,
  question: PurposeQuestion,
): Promise<((number: string) => Purpose | Code) | null> {
  const { session } = channelRules(question.channel);
  if (!session) return null;
  const content = message.content ?? NO_CONTENT;
  if (session.outside === 'templates') {
    if (content.template) return () => content.purpose ?? 'utility';
    const open = await openSessions(tx, question, null);
    return (number) => (open.has(number) ? 'service' : 1547);
  }
  if (message.purpose === 'transactional' && !fitsViberTransaction(content))
    throw new Problem(1548, {
      field: 'purpose',
      message: 'Transactional messages are texts or documents without buttons',
    });
  if (message.purpose) return () => message.purpose!;
  if (!fitsViberSession(content, message.text)) return () => 'promotional';
  const open = await openSessions(tx, question, question.in_a_row ?? session.in_a_row);
  return (number) => (open.has(number) ? 'session' : 'promotional');
}

// Where so many in a row are allowed, two messages at once must not both be the last one.
async function openSessions(tx: Tx, { account_id, sender_id, numbers, leaves }: PurposeQuestion, most: number | null) {
  const rows = await tx.rows<{ number: string; session_sent: number }>(sql`
    select number, session_sent from conversations
    where account_id = ${account_id} and sender_id = ${sender_id} and number = any(${numbers}::text[]) and session_until > ${leaves}
    order by id for update`);
  return new Set(rows.filter(({ session_sent }) => most === null || session_sent < most).map(({ number }) => number));
}
