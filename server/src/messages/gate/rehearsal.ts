/** Rehearsals: the gate runs completely, and then everything that it wrote is rolled back. */
import type { Parsed } from '@parley/contract/endpoint.ts';
import type { SendApproval } from '@parley/contract/keys/approvals.ts';
import type { createMessage } from '@parley/contract/messages/messages.ts';
import type { MessageRehearsal } from '@parley/contract/messages/rehearsals.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { Tx } from '../../kernel/db/db.ts';
import { undoAfter } from '../../kernel/db/undo.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import { countUnapproved, requestApproval } from '../../keys/keys.ts';
import { sendUnapproved } from './send.ts';

/** Throws the problems of sending. */
export async function rehearse(
  tx: Tx,
  kernel: Pick<Kernel, 'db' | 'config'>,
  actor: Actor,
  body: Parsed<typeof createMessage>['body'],
): Promise<MessageRehearsal> {
  if (actor.test && body.test) throw new Problem('TEST_KEY_NOT_ALLOWED');
  return undoAfter(tx, async (trial) => {
    const { messages, total_micros } = await sendUnapproved(trial, kernel, actor, body);
    const fits = await countUnapproved(trial, actor, messages.length, total_micros);
    const fallbacks = (body.fallbacks ?? []).map(({ channel, text = null, template = null }) => ({
      ...{ channel, text, template },
    }));
    return { messages, total_micros, currency: messages[0]!.currency, fallbacks, needs_approval: !fits };
  });
}

/** The person who decides sees the message as rehearsed. */
export async function requestMessageApproval(
  tx: Tx,
  kernel: Pick<Kernel, 'db' | 'config'>,
  actor: Actor,
  body: Parsed<typeof createMessage>['body'],
): Promise<SendApproval> {
  return requestApproval(tx, actor, body, await rehearse(tx, kernel, actor, body));
}
