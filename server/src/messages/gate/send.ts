/** Sends single messages for users and API keys. */
import { parseTimestamp } from '@parley/contract/common.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { readFallbacks } from '@parley/contract/messages/fallbacks.ts';
import { type createMessage, type Message, VALIDITY_SECONDS } from '@parley/contract/messages/messages.ts';
import type { Tx } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import { requireApproval } from '../../keys/keys.ts';
import { accept } from './accept.ts';
import { composeMessage, throwFindings } from './compose.ts';
import { type Fallback, withFallbackPath } from './fallback_gate.ts';
import { requireTestAllowed, testSender } from './try_it_now.ts';

type Body = Parsed<typeof createMessage>['body'];

export async function sendMessages(
  tx: Tx,
  kernel: Pick<Kernel, 'db' | 'config'>,
  actor: Actor,
  body: Body,
  { address, token }: { address: string; token?: string | undefined },
): Promise<Message[]> {
  const { messages, total_micros } = await sendUnapproved(tx, kernel, actor, body, address);
  await requireApproval(tx, actor, { token, body, recipients: messages.length, micros: total_micros });
  return messages;
}

/** Sends without checking whether the key needs an approval. */
export async function sendUnapproved(
  tx: Tx,
  kernel: Pick<Kernel, 'db' | 'config'>,
  actor: Actor,
  body: Body,
  address: string | null = null,
): Promise<{ messages: Message[]; total_micros: number }> {
  const { to, channel, validity_seconds, payload, test = false } = body;
  if (test) await requireTestAllowed(tx, actor.account_id, actor.user_id, to);
  const from = test ? await testSender(tx, actor.account_id, channel, body.from) : body.from;
  const fallbacks = await composeFallbacks(tx, actor.account_id, body);
  const { accepted, total_micros } = await accept(tx, kernel, {
    account_id: actor.account_id,
    channel,
    from,
    recipients: to.map((number) => ({ to: number, text: '' })),
    compose: composeMessage(tx, actor.account_id, channel, body),
    source: test ? 'test' : sourceFor(actor),
    refusal: 'throw',
    user_id: actor.user_id,
    key_id: actor.key_id,
    address,
    free: actor.test ?? false,
    spend_limit_micros: actor.spend_limit_micros ?? null,
    schedule: sendTime(body, tx.now),
    validity_seconds,
    payload,
    fallbacks,
  });
  return { messages: accepted, total_micros };
}

export const sourceFor = ({ kind, smpp_account_id }: Actor): 'api' | 'smpp' | 'inbox' =>
  smpp_account_id ? 'smpp' : kind === 'key' ? 'api' : 'inbox';

/** When the message is sent, if not immediately. */
export const sendTime = (
  { schedule, undo_seconds }: Pick<Parsed<typeof createMessage>['body'], 'schedule' | 'undo_seconds'>,
  now: Date,
): Date | null =>
  schedule !== undefined
    ? parseTimestamp(schedule)
    : undo_seconds === undefined
      ? null
      : new Date(now.getTime() + undo_seconds * 1_000);

/** Reports all problems with the shape of the fallbacks together before anything is looked up. */
async function composeFallbacks(
  tx: Tx,
  account_id: string,
  body: Parsed<typeof createMessage>['body'],
): Promise<Fallback[]> {
  const { channel, fallbacks, validity_seconds = VALIDITY_SECONDS.default, test = false } = body;
  if (!fallbacks) return [];
  const { read, findings } = readFallbacks(channel, fallbacks, validity_seconds);
  throwFindings(findings);
  const composed: Fallback[] = [];
  for (const [index, fallback] of read.entries()) {
    const compose = await withFallbackPath(index, () =>
      composeMessage(tx, account_id, fallback.channel, fallbacks[index]!),
    );
    const from = test
      ? await withFallbackPath(index, () => testSender(tx, account_id, fallback.channel, fallback.from))
      : fallback.from;
    composed.push({ ...fallback, from, compose });
  }
  return composed;
}
