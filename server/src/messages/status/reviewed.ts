/**
 * Carries out the operators' decisions about messages awaiting review. The queue row decides: only a row that
 * still has the stage `review` is released or rejected, so two decisions about a message, or a decision and its expiry,
 * have one result. Queue rows are locked before reviews and messages, as everywhere.
 */
import { messageChanged } from '@parley/contract/messages/messages.ts';
import { newId } from '../../kernel/clock.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import { emitSelected } from '../../kernel/live/events.ts';
import { wakeDispatch } from '../model/dispatch_wake.ts';
import { readPlans } from '../model/fallback_rows.ts';
import { dueTime } from '../model/fallback_steps.ts';
import { messageJson } from '../model/message_columns.ts';
import { timelineTime } from '../model/status_fold.ts';
import { applyStatuses } from './status.ts';

export interface MessageKey {
  readonly account_id: string;
  readonly message_id: string;
}

const keys = (messages: readonly MessageKey[]) => sql`
  unnest(${messages.map(({ account_id }) => account_id)}::uuid[],
    ${messages.map(({ message_id }) => message_id)}::uuid[]) as t(account_id, message_id)`;

/** Locks the messages that are still waiting, until the commit, and returns them. */
export const lockWaiting = (tx: Tx, messages: readonly MessageKey[]): Promise<MessageKey[]> =>
  tx.rows<MessageKey>(sql`
    select d.account_id, d.message_id
    from ${keys(messages)} join dispatch d on d.account_id = t.account_id and d.message_id = t.message_id
    where d.stage = 'review' order by d.account_id, d.message_id for update of d`);

/** The messages must be locked. Their validity does not start again, because a late message may be worthless. */
export async function releaseMessages(tx: Tx, messages: readonly MessageKey[]): Promise<void> {
  const entry = { at: timelineTime(tx.now), source: 'operator', text: 'Released after review' };
  await tx.run(sql`
    update dispatch d set stage = 'queued' from ${keys(messages)}
    where d.account_id = t.account_id and d.message_id = t.message_id and d.stage = 'review'`);
  await tx.run(sql`
    update messages m set marks = m.marks || '{"review": "released"}', update_date = ${tx.now},
      timeline = m.timeline
        || jsonb_build_array(${JSON.stringify(entry)}::jsonb || jsonb_build_object('status', m.status))
    from ${keys(messages)} where m.account_id = t.account_id and m.id = t.message_id`);
  await startTimers(tx, messages);
  await announceMarks(tx, messages);
  wakeDispatch(tx, true);
}

/** The wait for the first fallback starts now, or when the message is due. */
async function startTimers(tx: Tx, messages: readonly MessageKey[]): Promise<void> {
  for (const { account_id, message_id, steps, current, expires } of await readPlans(tx, messages)) {
    const queued = Math.max(tx.now.getTime(), steps[current]!.queued ?? 0);
    const started = steps.map((step, index) => (index === current ? { ...step, queued } : step));
    const due = dueTime({ steps: started, current }, expires);
    await tx.run(sql`
      update fallbacks set steps = ${JSON.stringify(started)}::jsonb,
        due_date = ${due === null ? null : new Date(due)}::timestamptz
      where account_id = ${account_id} and message_id = ${message_id}`);
  }
}

/** The messages must be locked. No fallback follows, and the money is released. */
export async function rejectMessages(tx: Tx, messages: readonly MessageKey[], reason: string): Promise<void> {
  await tx.run(sql`
    update messages m set marks = m.marks || '{"review": "rejected"}' from ${keys(messages)}
    where m.account_id = t.account_id and m.id = t.message_id`);
  await applyStatuses(
    tx,
    messages.map(({ account_id, message_id }) => ({
      ...{ account_id, message_id, status: 'rejected' as const, source: 'operator', failure: 'rejected' as const },
      ...{ text: `Rejected in review: ${reason}`, ends: 'Rejected in review' },
    })),
  );
}

const announceMarks = (tx: Tx, messages: readonly MessageKey[]) =>
  emitSelected(
    tx,
    messageChanged,
    sql`
      select m.account_id, t.event_id as id, ${messageJson} as payload, m.campaign_id is null as live
      from unnest(${messages.map(({ account_id }) => account_id)}::uuid[],
        ${messages.map(({ message_id }) => message_id)}::uuid[], ${messages.map(() => newId())}::uuid[])
        as t(account_id, message_id, event_id)
      join messages m on m.account_id = t.account_id and m.id = t.message_id`,
  );
