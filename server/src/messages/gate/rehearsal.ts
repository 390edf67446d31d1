/** Rehearsals: the gate runs completely, and then everything that it wrote is rolled back. */
import type { Parsed } from '@parley/contract/endpoint.ts';
import type { createMessage } from '@parley/contract/messages/messages.ts';
import type { MessageRehearsal } from '@parley/contract/messages/rehearsals.ts';
import { Problem } from '@parley/contract/problem.ts';
import { raw, type Tx } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import { sendMessages } from './send.ts';

/** Runs the work and undoes everything that it wrote, including its events and what it planned for after the commit. */
export async function undoAfter<T>(tx: Tx, work: (trial: Tx) => Promise<T>): Promise<T> {
  const ignore = () => {};
  const trial: Tx = { ...tx, afterCommit: ignore, afterRollback: ignore, beforeCommit: ignore };
  await tx.run(raw('savepoint rehearsal'));
  const result = await work(trial);
  await tx.run(raw('rollback to savepoint rehearsal'));
  return result;
}

/** Throws the problems of sending. */
export async function rehearse(
  tx: Tx,
  kernel: Pick<Kernel, 'db' | 'config'>,
  actor: Actor,
  body: Parsed<typeof createMessage>['body'],
): Promise<MessageRehearsal> {
  if (actor.test && body.test) throw new Problem('TEST_KEY_NOT_ALLOWED');
  const messages = await undoAfter(tx, (trial) => sendMessages(trial, kernel, actor, body));
  const total_micros = messages.reduce((sum, { price_micros }) => sum + (price_micros ?? 0), 0);
  return { messages, total_micros, currency: messages[0]!.currency };
}
