/** Ends messages that were not sent in time, and messages that a carrier accepted but never reported on. */
import { type Db, type Sql, sql } from '../../kernel/db/db.ts';
import { applyStatuses } from './status.ts';
import { extendUnanswered } from './unanswered.ts';

const BATCH = 500;

/** Expires overdue queued rows, including those of paused campaigns, and messages that nobody has reviewed in time. */
export async function expireQueued(db: Db): Promise<void> {
  // Constants, because each stage has its own index.
  await expireStage(db, sql`'queued'`, 'The message expired before it could be sent');
  await expireStage(db, sql`'review'`, 'The message expired before its review was completed');
}

async function expireStage(db: Db, stage: Sql, text: string): Promise<void> {
  for (let expired = BATCH; expired === BATCH; ) {
    expired = await db.tx(async (tx) => {
      const rows = await tx.rows<{ account_id: string; message_id: string; resent: boolean }>(sql`
        select account_id, message_id, resent from dispatch
        where stage = ${stage} and expire_date <= now()
        order by expire_date limit ${BATCH} for update skip locked`);
      const resent = rows.filter((row) => row.resent);
      if (resent.length > 0) await extendUnanswered(tx, resent);
      await applyStatuses(
        tx,
        rows.map(({ account_id, message_id }) => ({
          account_id,
          message_id,
          status: 'expired',
          source: 'worker',
          failure: 'expired',
          text,
        })),
      );
      return rows.length;
    }, 'by index');
  }
}

/**
 * A message is valid for at most three days, and carriers keep reports for one more day, so no report can arrive after
 * that.
 */
const SILENCE = { from: '4 days', until: '6 days' };

/**
 * Expires messages without a final report. If another step was delivered, it only closes the charge. Selects by the age
 * of the submission, because an index on the status would cost every message two more writes.
 */
export async function expireUnreported(db: Db, signal?: AbortSignal): Promise<void> {
  for (let after = ''; !signal?.aborted; ) {
    const rows = await db.rows<{ account_id: string; message_id: string; external_id: string }>(sql`
      select m.account_id, m.id as message_id, s.external_id
      from submissions s join messages m on m.account_id = s.account_id and m.id = s.message_id
      where s.create_date between now() - ${SILENCE.until}::interval and now() - ${SILENCE.from}::interval
        and ((m.status = 'sent' and m.charge <> 'none') or (m.charge = 'held' and m.status in ('delivered', 'read')))
          and s.external_id > ${after}
        -- A later fallback step starts a new wait.
        and not exists (
          select from submissions l
          where l.account_id = m.account_id and l.message_id = m.id
            and l.create_date > now() - ${SILENCE.from}::interval)
      order by s.external_id limit ${BATCH}`);
    if (rows.length === 0) return;
    after = rows.at(-1)!.external_id;
    await db.tx((tx) =>
      applyStatuses(
        tx,
        rows.map(({ account_id, message_id }) => ({
          account_id,
          message_id,
          status: 'expired',
          source: 'worker',
          failure: 'expired',
          accepted: true,
          text: 'No delivery receipt arrived',
        })),
      ),
    );
  }
}
