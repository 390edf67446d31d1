/** Turns the recording of carrier payloads on and off, and reads and deletes recordings. */
import {
  type CarrierPayload,
  type CarrierRecording,
  carrierRecordingChanged,
  MAX_RECORDED_MESSAGES,
} from '@parley/contract/messages/carrier_payloads.ts';
import { Problem } from '@parley/contract/problem.ts';
import { type Queryable, sql, type Tx } from '../../kernel/db/db.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';
import { emit } from '../../kernel/live/events.ts';
import { record } from '../../kernel/security/audit.ts';
import type { Actor } from '../../kernel/security/auth.ts';

/** Receipts of recorded messages are recorded for this long after the end. */
const WATCH = '24 hours';

export async function readRecording(db: Queryable, account_id: string): Promise<CarrierRecording> {
  const row = await db.maybeOne<Pick<CarrierRecording, 'is_on' | 'end_date' | 'messages_count'>>(sql`
    select end_date > now() and messages_count < ${MAX_RECORDED_MESSAGES} as is_on, end_date,
      least(messages_count, ${MAX_RECORDED_MESSAGES}) as messages_count
    from carrier_recordings where account_id = ${account_id}`);
  const none = { is_on: false, end_date: null, messages_count: 0 };
  return { account_id, ...(row ?? none), max_messages: MAX_RECORDED_MESSAGES };
}

export async function startRecording(ctx: Ctx, minutes: number): Promise<CarrierRecording> {
  const { tx, actor } = ctx;
  const { account_id } = actor;
  const length = `${minutes} minutes`;
  await tx.run(sql`
    insert into carrier_recordings (account_id, start_date, end_date, watch_until)
    values (${account_id}, now(), now() + ${length}::interval, now() + ${length}::interval + ${WATCH}::interval)
    on conflict (account_id) do update set messages_count = 0, start_date = excluded.start_date,
      end_date = excluded.end_date, watch_until = excluded.watch_until`);
  note(ctx, 'carrier_recording.started', { minutes });
  return announce(tx, account_id);
}

export async function stopRecording(ctx: Ctx): Promise<null> {
  const { tx, actor } = ctx;
  const ended = await tx.run(sql`
    update carrier_recordings set end_date = now(), watch_until = now() + ${WATCH}::interval
    where account_id = ${actor.account_id} and end_date > now()`);
  if (ended > 0) {
    note(ctx, 'carrier_recording.stopped', {});
    await announce(tx, actor.account_id);
  }
  return null;
}

const note = (ctx: Ctx, action: 'carrier_recording.started' | 'carrier_recording.stopped', detail: object) =>
  record(ctx.tx, ctx, {
    action,
    target: { type: 'account', id: ctx.actor.account_id, name: '' },
    detail: { ...detail },
  });

async function announce(tx: Tx, account_id: string): Promise<CarrierRecording> {
  const recording = await readRecording(tx, account_id);
  emit(tx, carrierRecordingChanged, account_id, recording);
  return recording;
}

export async function listPayloads(db: Queryable, { account_id }: Actor, id: string): Promise<CarrierPayload[]> {
  const message = await db.maybeOne(sql`select 1 from messages where account_id = ${account_id} and id = ${id}`);
  if (!message) throw new Problem('MESSAGE_NOT_FOUND');
  return db.rows<CarrierPayload>(sql`
    select p.id, p.direction, p.title, p.fields, p.body, p.is_cut, c.name as connection_name,
      to_char(p.create_date at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS') as at
    from carrier_payloads p left join connections c on c.id = p.connection_id
    where p.account_id = ${account_id} and p.message_id = ${id}
    order by p.id`);
}

/** Deletes old payloads, and recordings whose receipts are no longer watched. Returns the number of payloads. */
export async function prunePayloads(db: Queryable, days: number, limit: number): Promise<number> {
  await db.run(sql`delete from carrier_recordings where watch_until < now() - ${`${days} days`}::interval`);
  return db.run(sql`
    delete from carrier_payloads where (account_id, id) in (
      select account_id, id from carrier_payloads where create_date < now() - ${`${days} days`}::interval
      limit ${limit})`);
}

/** Part of the erasure of a person. */
export const erasePayloads = (tx: Tx, account_id: string, message_ids: readonly string[]): Promise<number> =>
  tx.run(sql`
    delete from carrier_payloads where account_id = ${account_id} and message_id = any(${message_ids}::uuid[])`);
