/** Changes the time of a scheduled message, or sends it now. */
import { parseTimestamp } from '@parley/contract/common.ts';
import type { Content, Purpose } from '@parley/contract/messages/content.ts';
import { type Message, messageChanged } from '@parley/contract/messages/messages.ts';
import { isProblemName, Problem } from '@parley/contract/problem.ts';
import { newId } from '../../kernel/clock.ts';
import { type Queryable, sql, type Tx } from '../../kernel/db/db.ts';
import { emitSelected } from '../../kernel/live/events.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import { wakeDispatch } from '../model/dispatch_wake.ts';
import { messageJson } from '../model/message_columns.ts';
import { timelineTime } from '../model/status_fold.ts';
import { resolvePurposes } from '../routing/purposes.ts';
import { moveReply } from '../thread/episodes.ts';

type ScheduledMessage = Pick<Message, 'text' | 'template_id' | 'sender_id' | 'status'> & {
  channel: Parameters<typeof resolvePurposes>[2]['channel'];
  number: string;
  content: Content | null;
};

/** Throws MESSAGE_NOT_SCHEDULED if a worker or a carrier may already have the message; nothing is changed then. */
export async function rescheduleMessage(
  tx: Tx,
  { account_id }: Actor,
  id: string,
  schedule: string | null,
): Promise<Message> {
  const message = await findMessage(tx, account_id, id);
  if (!message) throw new Problem('MESSAGE_NOT_FOUND');
  if (message.status !== 'scheduled') throw new Problem('MESSAGE_NOT_SCHEDULED');
  const at = schedule === null ? tx.now : parseTimestamp(schedule);
  if (schedule !== null && at <= tx.now) throw new Problem('SCHEDULE_IN_PAST');
  await requireSamePurpose(tx, account_id, message, at);
  if (!(await moveInQueue(tx, account_id, id, at))) throw new Problem('MESSAGE_NOT_SCHEDULED');
  const text = schedule === null ? 'Sent now' : `Rescheduled to ${timelineTime(at).slice(0, 16)} UTC`;
  const entry = [{ at: timelineTime(tx.now), status: 'scheduled', source: 'person', text }];
  const moved = sql`
    select m.account_id, ${newId()}::uuid as id, ${messageJson} as payload, true as live
    from messages m where m.account_id = ${account_id} and m.id = ${id}`;
  await tx.run(sql`
    update messages set expire_date = ${at}::timestamptz + (expire_date - schedule), schedule = ${at},
                        timeline = timeline || ${JSON.stringify(entry)}::jsonb, update_date = ${tx.now}
    where account_id = ${account_id} and id = ${id}`);
  await moveReply(tx, { account_id, sender_id: message.sender_id, number: message.number }, id, at);
  await emitSelected(tx, messageChanged, moved);
  wakeDispatch(tx, true);
  return (await tx.one<{ payload: Message }>(moved)).payload;
}

const findMessage = (db: Queryable, account_id: string, id: string) =>
  db.maybeOne<ScheduledMessage>(sql`
    select text, template_id, sender_id, status, channel, number, content from messages
    where account_id = ${account_id} and id = ${id}`);

/** The purpose sets the price, which has been held. A purpose that the author chose does not depend on the time. */
async function requireSamePurpose(tx: Tx, account_id: string, message: ScheduledMessage, at: Date): Promise<void> {
  const { text, template_id, sender_id, channel, number, content } = message;
  const before = content?.purpose ?? null;
  const chosen = before === 'promotional' || before === 'transactional' ? before : null;
  const purposes = await resolvePurposes(
    tx,
    { text, content, template_id, purpose: chosen },
    { account_id, sender_id, channel, numbers: [number], send_date: at },
  );
  const purpose: Purpose | string | null = purposes ? purposes(number) : before;
  if (isProblemName(purpose)) throw new Problem(purpose);
  if (purpose !== before) throw new Problem('RESCHEDULE_CHANGES_PRICE');
}

/** The waits of its fallbacks move with the message. */
const moveInQueue = async (tx: Tx, account_id: string, id: string, at: Date): Promise<boolean> =>
  (await tx.run(sql`
    with moved as (
      update dispatch d set not_before = ${at}, expire_date = ${at}::timestamptz + (d.expire_date - d.not_before)
      from dispatch before
      where d.account_id = ${account_id} and d.message_id = ${id} and d.stage in ('queued', 'review')
        and d.sent_parts = '{}'
        and before.account_id = d.account_id and before.message_id = d.message_id
        and not exists (
          select from fallbacks f
          where f.account_id = ${account_id} and f.message_id = ${id} and f.handed)
      returning d.account_id, d.message_id, ${at}::timestamptz - before.not_before as moved_by
    ), waits as (
      update fallbacks f set due_date = f.due_date + moved_by, steps = jsonb_set(f.steps, '{0,queued}', to_jsonb(
        (f.steps->0->>'queued')::bigint + (extract(epoch from moved_by) * 1000)::bigint))
      from moved where f.account_id = moved.account_id and f.message_id = moved.message_id
    )
    select from moved`)) > 0;
