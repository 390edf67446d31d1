/** Single sends by people and programs, and calling one back. */
import type { Parsed } from '@parley/contract/endpoint.ts';
import { readFallbacks } from '@parley/contract/messages/fallbacks.ts';
import { type createMessage, type Message, VALIDITY_SECONDS } from '@parley/contract/messages/messages.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { Db, Tx } from '../kernel/db/db.ts';
import type { Actor } from '../kernel/security/auth.ts';
import { accept } from './accept.ts';
import { type Fallback, inFallback } from './leg_gate.ts';
import { messageStatus, takeFromQueue } from './queries.ts';
import { applyStatuses } from './status.ts';
import { demandTest, testSender } from './try_it_now.ts';
import { refuse, writeMessage } from './written.ts';

export async function sendMessages(
  tx: Tx,
  kernel: { db: Db },
  actor: Actor,
  body: Parsed<typeof createMessage>['body'],
): Promise<Message[]> {
  const { to, channel, schedule, validity_seconds, payload, test = false } = body;
  if (test) await demandTest(tx, actor.account_id, actor.user_id, to);
  const from = test ? await testSender(tx, actor.account_id, channel, body.from) : body.from;
  const fallbacks = await readWays(tx, actor.account_id, body);
  const { accepted } = await accept(tx, kernel, {
    account_id: actor.account_id,
    channel,
    from,
    recipients: to.map((number) => ({ to: number, text: '' })),
    write: writeMessage(tx, actor.account_id, channel, body),
    source: test ? 'test' : actor.kind === 'key' ? 'api' : 'inbox',
    refusal: 'throw',
    user_id: actor.user_id,
    key_id: actor.key_id,
    schedule: schedule === undefined ? null : new Date(`${schedule.replace(' ', 'T')}Z`),
    validity_seconds,
    payload,
    fallbacks,
  });
  return accepted;
}

/** What is wrong with their shape is told together, before anything is looked up. */
async function readWays(tx: Tx, account_id: string, body: Parsed<typeof createMessage>['body']): Promise<Fallback[]> {
  const { channel, fallbacks, validity_seconds = VALIDITY_SECONDS.default, test = false } = body;
  if (!fallbacks) return [];
  const { read, findings } = readFallbacks(channel, fallbacks, validity_seconds);
  refuse(findings);
  const ways: Fallback[] = [];
  for (const [index, way] of read.entries()) {
    const write = await inFallback(index, () => writeMessage(tx, account_id, way.channel, fallbacks[index]!));
    const from = test ? await inFallback(index, () => testSender(tx, account_id, way.channel, way.from)) : way.from;
    ways.push({ ...way, from, write });
  }
  return ways;
}

/**
 * Only what is certainly still here can be called back; for the rest the answer is MESSAGE_CANCEL_NOT_ALLOWED, and
 * nothing changes.
 */
export async function cancelMessage(tx: Tx, actor: Actor, id: string): Promise<void> {
  const { account_id } = actor;
  if (!(await messageStatus(tx, account_id, id))) throw new Problem('MESSAGE_NOT_FOUND');
  if (!(await takeFromQueue(tx, account_id, id))) throw new Problem('MESSAGE_CANCEL_NOT_ALLOWED');
  await applyStatuses(tx, [{ account_id, message_id: id, status: 'canceled', source: 'person' }]);
}
