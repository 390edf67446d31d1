/** What was not sent in time ends, though no worker, carrier or report ever answers; so does what a carrier took and never reported on. */
import { type Db, sql } from '../kernel/db/db.ts';
import { applyStatuses } from './status.ts';

const BATCH = 500;

/** Queued rows past their time, those of paused campaigns included. */
export async function expireQueued(db: Db): Promise<void> {
  for (let expired = BATCH; expired === BATCH; ) {
    expired = await db.tx(async (tx) => {
      const rows = await tx.rows<{ account_id: string; message_id: string; connection_id: string | null }>(sql`
        select account_id, message_id from dispatch
        where stage = 'queued' and expire_date <= now()
        order by expire_date limit ${BATCH} for update skip locked`);
      await applyStatuses(
        tx,
        rows.map(({ account_id, message_id }) => ({
          account_id,
          message_id,
          status: 'expired',
          source: 'worker',
          failure: 'expired',
          text: 'Not sent in time',
        })),
      );
      return rows.length;
    }, 'by index');
  }
}

/** The longest validity is three days and carriers keep reports for another; what is still `sent` after that stays without a report. */
const SILENCE = { from: '4 days', until: '6 days' };

/**
 * Of one that another way has brought before, only the money is still open. Found by the age of the submission, since an index on the status of messages would cost every message two
 * more writes.
 */
export async function expireUnreported(db: Db, signal?: AbortSignal): Promise<void> {
  for (let after = ''; !signal?.aborted; ) {
    const rows = await db.rows<{ account_id: string; message_id: string; external_id: string }>(sql`
      select m.account_id, m.id as message_id, s.external_id
      from submissions s join messages m on m.account_id = s.account_id and m.id = s.message_id
      where s.create_date between now() - ${SILENCE.until}::interval and now() - ${SILENCE.from}::interval
        and (m.status = 'sent' or (m.charge = 'held' and m.status in ('delivered', 'read'))) and s.external_id > ${after}
        -- What went on another way is waited for anew.
        and not exists (
          select from submissions l
          where l.account_id = m.account_id and l.message_id = m.id and l.create_date > now() - ${SILENCE.from}::interval)
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
          text: 'The carrier never reported on it',
        })),
      ),
    );
  }
}
