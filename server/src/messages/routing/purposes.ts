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
import type { Tx } from '../../kernel/db/db.ts';
import type { ComposedMessage } from '../model/composed_message.ts';
import { type InSession, lockOpenSessions, type SessionRequest } from './open_sessions.ts';

interface PurposeRequest extends SessionRequest {
  channel: ChannelName;
  in_session?: InSession;
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
    if (content.template)
      return (number) => (request.in_session?.has(number) ? 'service' : (content.purpose ?? 'utility'));
    const open = await lockOpenSessions(tx, request);
    return (number) => (open.has(number) ? 'service' : 'CONVERSATION_CLOSED');
  }
  if (message.purpose) {
    requirePurpose(purposes, message.purpose, content);
    return () => message.purpose!;
  }
  const outside = purposes.outside(content);
  if (!purposes.fitsSession(content, message.text)) return () => outside;
  const open = await lockOpenSessions(tx, request);
  return (number) => (open.has(number) ? 'session' : outside);
}

/** Checks that a message fits the purpose that its author requested. */
export function requirePurpose(rules: PurposeRules, purpose: ChosenPurpose, content: Content): void {
  const refusal = rules.refusal(purpose, content);
  if (refusal) throw new Problem('MESSAGE_TYPE_NOT_ALLOWED', { field: 'purpose', message: refusal });
}
