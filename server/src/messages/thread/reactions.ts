/**
 * Reactions of the business. The message shows a reaction immediately, and a job sends it. A repeated job sends
 * the same reaction, which the person sees once.
 */
import { parseTimestamp } from '@parley/contract/common.ts';
import type { Marks } from '@parley/contract/messages/marks.ts';
import type { Message } from '@parley/contract/messages/messages.ts';
import { Problem } from '@parley/contract/problem.ts';
import { CarrierRefusal } from '../../channels/channel.ts';
import { openConnection } from '../../connections/connections.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import { enqueue, job } from '../../kernel/jobs/jobs.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { messageColumns } from '../model/message_columns.ts';
import { timelineTime } from '../model/status_fold.ts';
import { announceChange } from './announce_change.ts';

interface ReactionKey {
  account_id: string;
  message_id: string;
}
/** The last attempt of the job is later than this, so that no reaction waits forever. */
const GIVE_UP_MS = 120_000;
type Reaction = NonNullable<Marks['reactions']>[number];

export const reactionJob = job<ReactionKey>('messages.react', {
  retry: 5,
  retry_seconds: 10,
  concurrency: 2,
  key: ({ message_id }) => message_id,
  group: ({ message_id }) => message_id,
});

/** Replaces the reaction of the business to a message of this sender and this number. */
export async function setReaction(
  tx: Tx,
  { account_id, sender_id, number }: { account_id: string; sender_id: string; number: string },
  message_id: string,
  emoji: string,
): Promise<Message> {
  const message = await tx.maybeOne<{ marks: Marks | null; isSent: boolean }>(sql`
    select m.marks,
      exists (select from submissions s where s.account_id = m.account_id and s.message_id = m.id) as "isSent"
    from messages m
    where m.account_id = ${account_id} and m.id = ${message_id} and m.sender_id = ${sender_id} and m.number = ${number}
    for update of m`);
  if (!message || message.marks?.deleted) throw new Problem('MESSAGE_NOT_IN_CONVERSATION');
  if (!message.isSent) throw new Problem('MESSAGE_NOT_SENT');
  const at = timelineTime(tx.now).slice(0, 19);
  await replaceReaction(tx, { account_id, message_id }, message.marks, { by: 'business', emoji, at, waiting: true });
  await enqueue(tx, reactionJob, { account_id, message_id });
  return tx.one<Message>(sql`
    select ${messageColumns} from messages m where m.account_id = ${account_id} and m.id = ${message_id}`);
}

async function replaceReaction(
  tx: Tx,
  { account_id, message_id }: ReactionKey,
  marks: Marks | null,
  reaction: Reaction,
): Promise<void> {
  const others = (marks?.reactions ?? []).filter(({ by }) => by !== reaction.by);
  await tx.run(sql`
    update messages set update_date = ${tx.now},
      marks = ${JSON.stringify({ ...marks, reactions: [...others, reaction] })}::jsonb
    where account_id = ${account_id} and id = ${message_id}`);
  await announceChange(tx, account_id, message_id);
}

const ownReaction = (marks: Marks | null): Reaction | undefined =>
  marks?.reactions?.find(({ by, waiting }) => by === 'business' && waiting);

export async function sendReaction(kernel: Kernel, key: ReactionKey): Promise<void> {
  const message = await kernel.db.maybeOne<{
    marks: Marks | null;
    number: string;
    address: string;
    connection_id: string;
    external_id: string;
  }>(sql`
    select m.marks, m.number, coalesce(s.carrier_address, s.code) as address, x.connection_id, x.external_id
    from messages m
    join senders s on s.account_id = m.account_id and s.id = m.sender_id
    join submissions x on x.account_id = m.account_id and x.message_id = m.id
    where m.account_id = ${key.account_id} and m.id = ${key.message_id}
    limit 1`);
  const reaction = ownReaction(message?.marks ?? null);
  if (!message || !reaction) return;
  const { connection_id, number: to, address, external_id } = message;
  const connection = await openConnection(kernel, kernel.db, connection_id);
  const reactions = connection?.adapter.reactions;
  if (!reactions) return settle(kernel, key, reaction, 'The connection is no longer available');
  try {
    await reactions.react(connection.spec, { address, to, external_id, emoji: reaction.emoji });
  } catch (error) {
    if (error instanceof CarrierRefusal) return settle(kernel, key, reaction, error.message);
    if (kernel.clock.now().getTime() - parseTimestamp(reaction.at).getTime() < GIVE_UP_MS) throw error;
    kernel.log.warn({ err: error, ...key }, 'a reaction was not sent');
    return settle(kernel, key, reaction, 'The carrier cannot be reached');
  }
  await settle(kernel, key, reaction);
}

/** Records the result, unless a newer reaction replaced this one. */
const settle = (
  { db }: Kernel,
  { account_id, message_id }: ReactionKey,
  sent: Reaction,
  refusal?: string,
): Promise<void> =>
  db.tx(async (tx) => {
    const row = await tx.maybeOne<{ marks: Marks | null }>(sql`
      select marks from messages where account_id = ${account_id} and id = ${message_id} for update`);
    const current = ownReaction(row?.marks ?? null);
    if (!row || current?.emoji !== sent.emoji || current.at !== sent.at) return;
    const { waiting: _, ...settled } = current;
    const reaction = refusal === undefined ? settled : { ...settled, refusal };
    await replaceReaction(tx, { account_id, message_id }, row.marks, reaction);
  });
