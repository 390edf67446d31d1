/**
 * Messages that may have been sent before a new epoch of the database began. They count as ambiguous: evidence can
 * settle them at any time, but an operator's decision applies instead of the connection's policy.
 */
import { type SendingDecision, sendingHoldChanged } from '@parley/contract/admin/sending_hold.ts';
import { type Db, sql, type Tx } from '../../kernel/db/db.ts';
import { emit } from '../../kernel/live/events.ts';
import type { Change } from '../model/change.ts';
import { resend } from './ambiguous.ts';
import { countMissing } from './evidence.ts';
import { knownParts, type OpenSubmission } from './open_submission.ts';
import { applyStatuses } from './status.ts';

const BATCH = 500;

/**
 * Holds every connection and every message that was due. A message that is scheduled for later cannot have been sent.
 * Paused messages may have been resumed. A lost claim had the next attempt number, so its response still matches.
 */
export async function holdMessages(tx: Tx): Promise<void> {
  await tx.run(sql`
    update dispatch set stage = 'submitting', held = true, worker_id = null, bind_id = null, unknown_date = now(),
      submit_date = case when stage = 'submitting' then submit_date
        else coalesce((select data_date from database_epoch), now()) end,
      attempt = attempt + case when stage = 'queued' then 1 else 0 end
    where connection_id is not null and not held and stage <> 'review'
      and (stage = 'submitting' or not_before <= now() or not_before = 'infinity')`);
  // An operator may have released the message, and the release is lost.
  await tx.run(sql`
    update messages m set possible_duplicate = true from dispatch d
    where d.stage = 'review' and m.account_id = d.account_id and m.id = d.message_id`);
  // A fallback step may have started, and receipts that would prevent the next step may be lost.
  await tx.run(sql`
    update messages m set possible_duplicate = true from fallbacks f
    where m.account_id = f.account_id and m.id = f.message_id and f.due_date is not null`);
  await tx.run(sql`
    insert into sending_holds (connection_id, message_count)
    select c.id, (select count(*) from dispatch d where d.connection_id = c.id and d.held) from connections c
    on conflict (connection_id) do update set message_count = excluded.message_count, decision = null,
      user_id = null, decide_date = null, create_date = now()`);
  await announceHold(tx);
}

export async function announceHold(tx: Tx): Promise<void> {
  const { state } = await tx.one<{ state: 'open' | 'checking' | 'held' }>(sql`select state from database_epoch`);
  for (const { id } of await tx.rows<{ id: string }>(sql`select id from accounts where kind = 'OPERATOR'`))
    emit(tx, sendingHoldChanged, id, { state });
}

/** Carries out the decisions. A hold ends with its last message, and sending resumes with the last hold. */
export async function settleHeld(db: Db): Promise<void> {
  const decided = await db.rows<{ connection_id: string; decision: SendingDecision }>(sql`
    select connection_id, decision from sending_holds where decision is not null`);
  for (const { connection_id, decision } of decided) {
    let after: Key | null = FIRST;
    while (after) {
      const from: Key = after;
      after = await db.tx((tx) => settleBatch(tx, connection_id, decision, from), 'by index');
    }
    await db.tx((tx) => endHold(tx, connection_id));
  }
}

interface Key {
  account_id: string;
  message_id: string;
}
const NIL = '00000000-0000-0000-0000-000000000000';
const FIRST: Key = { account_id: NIL, message_id: NIL };

/** Returns the key of the last message, or null if there are no more. */
async function settleBatch(tx: Tx, connection_id: string, decision: SendingDecision, after: Key): Promise<Key | null> {
  const rows = await tx.rows<OpenSubmission & { expired: boolean }>(sql`
    select d.account_id, d.message_id, d.connection_id, c.adapter, c.settings, m.text,
      d.reference, false as given_up, d.expire_date <= now() as expired, ${knownParts}
    from dispatch d
    join connections c on c.id = d.connection_id
    join messages m on m.account_id = d.account_id and m.id = d.message_id
    where d.connection_id = ${connection_id} and d.held
      and (d.account_id, d.message_id) > (${after.account_id}::uuid, ${after.message_id}::uuid)
    order by d.account_id, d.message_id
    limit ${BATCH} for update of d skip locked`);
  if (rows.length === 0) return null;
  const again = rows.filter((row) => decision === 'send' && !row.expired && countMissing(row) > 0);
  const chosen = new Set(again.map(({ message_id }) => message_id));
  await applyStatuses(
    tx,
    rows.map((row) => toChange(row, chosen.has(row.message_id))),
  );
  if (again.length > 0) await resend(tx, again);
  return rows.at(-1)!;
}

function toChange(row: OpenSubmission, isAgain: boolean): Change {
  const { account_id, message_id, connection_id, known_parts, unplaced } = row;
  const change = { account_id, message_id, connection_id, source: 'worker' };
  if (countMissing(row) <= 0) return { ...change, status: 'sent', text: 'Confirmed by the carrier’s responses' };
  if (isAgain) {
    const text = 'Sent again after a restore. The recipient may already have this message';
    return { ...change, status: 'enroute', possible_duplicate: true, text };
  }
  const text = 'Not sent again after a restore, so delivery is uncertain';
  return { ...change, status: 'failed', failure: 'unknown', text, accepted: known_parts.length + unplaced > 0 };
}

async function endHold(tx: Tx, connection_id: string): Promise<void> {
  const ended = await tx.run(sql`
    delete from sending_holds h where connection_id = ${connection_id} and decision is not null
      and not exists (select from dispatch d where d.connection_id = h.connection_id and d.held)`);
  if (ended === 0) return;
  await tx.run(sql`
    update database_epoch set state = 'open' where state = 'held' and not exists (select from sending_holds)`);
  await announceHold(tx);
}
