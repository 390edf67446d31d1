/** Reads and writes fallback plans. Every function that writes requires the message to be locked. */
import type { MessageFallbackStep } from '@parley/contract/messages/details.ts';
import type { Status } from '@parley/contract/messages/statuses.ts';
import { empty, type Queryable, sql, type Tx } from '../../kernel/db/db.ts';
import { wakeDispatch } from './dispatch_wake.ts';
import { dueTime, type FallbackPlan, type FallbackStep, isQueued } from './fallback_steps.ts';
import { openStep } from './sealed_text.ts';

export interface FallbackRow extends FallbackPlan {
  readonly account_id: string;
  readonly message_id: string;
  readonly number: string;
  readonly country: string;
  readonly currency: string;
  readonly source: string;
  readonly status: Status;
  readonly create_date: string;
  /** The time when the message expires, in milliseconds. */
  readonly expires: number;
  /** The real texts of the steps, if they carry a code. */
  readonly sealed_steps: string | null;
}

interface MessageKey {
  readonly account_id: string;
  readonly message_id: string;
}

/**
 * Returns the plans of the messages that have fallbacks. Call it in a separate statement after locking the messages, so
 * that it reads the latest version.
 */
export const readPlans = (tx: Tx, messages: readonly MessageKey[]): Promise<FallbackRow[]> =>
  tx.rows<FallbackRow>(sql`
    select f.account_id, f.message_id, f.steps, f.current, f.sealed_steps, m.number, m.country, m.currency, m.source,
           m.status, m.create_date, floor(extract(epoch from m.expire_date) * 1000)::float8 as expires
    from unnest(${messages.map(({ account_id }) => account_id)}::uuid[],
      ${messages.map(({ message_id }) => message_id)}::uuid[])
      as t(account_id, message_id)
    join fallbacks f on f.account_id = t.account_id and f.message_id = t.message_id
    join messages m on m.account_id = f.account_id and m.id = f.message_id`);

/** Locks a message's queue row. Returns false if a worker has claimed it. */
export const lockQueued = async (tx: Tx, { account_id, message_id }: MessageKey): Promise<boolean> =>
  (await tx.maybeOne(sql`
    select 1 from dispatch
    where account_id = ${account_id} and message_id = ${message_id} and stage = 'queued' and sent_parts = '{}'
    for update skip locked`)) !== null;

export interface FallbackWrite {
  readonly row: FallbackRow;
  readonly plan: FallbackPlan;
  readonly moved: boolean;
  readonly paid_micros: number | null;
}

/**
 * Stores a plan and copies the step in effect to the message and, while the step is unsent, to the queue. The attempt
 * counter continues across steps, so that a late response is never mistaken for a response to the next step.
 */
export async function writePlan(tx: Tx, { row, plan, moved, paid_micros }: FallbackWrite): Promise<void> {
  const { account_id, message_id, expires } = row;
  const step = plan.steps[plan.current]!;
  const due = dueTime(plan, expires);
  await tx.run(sql`
    update fallbacks set steps = ${JSON.stringify(plan.steps)}::jsonb, current = ${plan.current}::smallint,
      due_date = ${due === null ? null : new Date(due)}::timestamptz,
      handed = ${plan.steps.some(({ handed }) => handed !== null)}
      ${row.sealed_steps !== null && !isWaiting(plan) ? sql`, sealed_steps = null` : empty}
    where account_id = ${account_id} and message_id = ${message_id}`);
  if (!isQueued(plan)) await removeFromQueue(tx, row);
  else if (moved) await requeueStep(tx, row, step, plan.current);
  if (moved)
    await tx.run(sql`
      update messages set channel = ${step.channel}, sender_id = ${step.sender_id}, "from" = ${step.from},
        text = ${step.text}, type = ${step.type}, content = ${step.content && JSON.stringify(step.content)}::jsonb,
        template_id = ${step.template_id}, segments_count = ${step.segments_count}, encoding = ${step.encoding},
        mccmnc = ${step.mccmnc}
      where account_id = ${account_id} and id = ${message_id}`);
  if (paid_micros !== null)
    await tx.run(sql`
      update messages set price_micros = ${paid_micros} where account_id = ${account_id} and id = ${message_id}`);
}

const removeFromQueue = (tx: Tx, { account_id, message_id }: MessageKey) =>
  tx.run(sql`
    with removed as (
      delete from dispatch where account_id = ${account_id} and message_id = ${message_id} returning attempt
    )
    update messages m set attempts = m.attempts + removed.attempt from removed
    where m.account_id = ${account_id} and m.id = ${message_id}`);

const isWaiting = ({ steps }: FallbackPlan): boolean => steps.some(({ state }) => state === 'waiting');

async function requeueStep(tx: Tx, row: FallbackRow, step: FallbackStep, index: number): Promise<void> {
  const { account_id, message_id } = row;
  const { sealed_text, sealed_content } = openStep(tx.db.seals, row, index);
  await tx.run(sql`
    insert into dispatch as d (account_id, message_id, connection_id, channel, priority, not_before, expire_date,
      number, sender_address, attempt, sealed_text, sealed_content, windows)
    select m.account_id, m.id, ${step.connection_id}::uuid, ${step.channel}, f.priority,
           -- The step of an unsent message waits while its campaign is paused.
           case when m.status in ('scheduled', 'enroute') and exists (
             select from campaigns c where c.account_id = m.account_id and c.id = m.campaign_id
               and c.status in ('paused', 'error', 'canceled')
           ) then 'infinity' else ${tx.now}::timestamptz end,
           m.expire_date, m.number, ${step.sender_address}, m.attempts, ${sealed_text}, ${sealed_content},
           f.windows
    from messages m join fallbacks f on f.account_id = m.account_id and f.message_id = m.id
    where m.account_id = ${account_id} and m.id = ${message_id}
    on conflict (account_id, message_id) do update set
      connection_id = excluded.connection_id, channel = excluded.channel, stage = 'queued',
      not_before = excluded.not_before, sender_address = excluded.sender_address, worker_id = null, bind_id = null,
      attempt = d.attempt + excluded.attempt, reference = 0, submit_date = null, unknown_date = null, refusals = 0,
      sent_parts = '{}', resent = false, sealed_text = excluded.sealed_text, sealed_content = excluded.sealed_content`);
  await tx.run(sql`update messages set attempts = 0 where account_id = ${account_id} and id = ${message_id}`);
  wakeDispatch(tx, true);
}

/** `plans` contains each message's steps, in the order of `ids`. The messages are queued. */
export async function insertPlans(
  tx: Tx,
  account_id: string,
  ids: readonly string[],
  plans: readonly (readonly FallbackStep[])[],
  expires: number,
  sealed: readonly (string | null)[],
): Promise<void> {
  const due = plans.map((steps) => dueTime({ steps, current: 0 }, expires));
  await tx.run(sql`
    insert into fallbacks (account_id, message_id, steps, priority, due_date, sealed_steps, windows)
    select d.account_id, d.message_id, t.steps, d.priority, t.due, t.sealed, d.windows
    from unnest(${ids}::uuid[], ${plans.map((steps) => JSON.stringify(steps))}::jsonb[],
                ${due.map((at) => (at === null ? null : new Date(at)))}::timestamptz[], ${sealed}::text[])
      as t(id, steps, due, sealed)
    join dispatch d on d.account_id = ${account_id} and d.message_id = t.id`);
}

export async function loadSteps(db: Queryable, account_id: string, message_id: string): Promise<MessageFallbackStep[]> {
  const row = await db.maybeOne<{ steps: FallbackStep[] }>(
    sql`select steps from fallbacks where account_id = ${account_id} and message_id = ${message_id}`,
  );
  return (row?.steps ?? []).map((step, index) => ({
    leg: index + 1,
    channel: step.channel,
    from: step.from,
    type: step.type,
    text: step.text,
    trigger: step.trigger,
    wait_seconds: step.wait_seconds,
    state: step.state,
    reason: step.reason,
    status: step.status,
    price_micros: step.price_micros,
  }));
}
