/** Warns about client certificates of webhooks that expire soon: 30 days and 7 days before, and when they expire. */
import { type Db, sql } from '../kernel/db/db.ts';
import { notifyExpiry } from './mails.ts';

const WARNINGS = [30, 7, 0];
const BATCH = 100;

interface Expiring {
  account_id: string;
  id: string;
  url: string;
  /** The warning that is due. */
  warning: number;
  expire_date: string;
}

/** Each warning is sent once, in the transaction that stores it. A repeated job sends nothing. */
export async function warnAboutExpiry(db: Db, app: string, signal: AbortSignal): Promise<void> {
  for (const warning of [...WARNINGS].reverse())
    for (let more = true; more && !signal.aborted; )
      more = await db.tx(async (tx) => {
        const rows = await tx.rows<Expiring>(sql`
          update webhooks w set certificate_warning = ${warning}
          from (
            select account_id, id from webhooks
            where certificate_expire_date < ${tx.now}::timestamptz + make_interval(days => ${warning})
              and (certificate_warning is null or certificate_warning > ${warning}) and delete_date is null
            order by certificate_expire_date limit ${BATCH} for update skip locked
          ) due
          where w.account_id = due.account_id and w.id = due.id
          returning w.account_id, w.id, w.url, ${warning}::int as warning,
            to_char(w.certificate_expire_date at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as expire_date`);
        for (const row of rows) await notifyExpiry(tx, app, row);
        return rows.length === BATCH;
      });
}
