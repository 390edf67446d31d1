/** Removes incomplete messages and unclaimed deliveries that have been waiting too long. */
import { idAt } from '../kernel/clock.ts';
import { type Db, type Queryable, sql } from '../kernel/db/db.ts';
import type { DeliveryBody } from './delivery_pdus.ts';
import { insertDeliveries, wantsReceipt } from './fanout.ts';
import { PART_MINUTES, partId } from './parts.ts';

const BATCH = 1_000;
/** Programs can query and cancel their messages for this long. */
const KEPT_DAYS = 30;

interface ExpiredPart {
  account_id: string;
  smpp_account_id: string;
  message_id: string;
  part: number;
  accepted: boolean;
  registered_delivery: number;
  addresses: Pick<Extract<DeliveryBody, { kind: 'receipt' }>, 'source' | 'destination'>;
  create_date: string;
}

/** Parts of a message that stayed incomplete get a receipt that rejects them, because they were acknowledged. */
export async function expireParts(db: Db, signal: AbortSignal): Promise<void> {
  let removed = BATCH;
  while (removed === BATCH && !signal.aborted)
    removed = await db.tx(async (tx) => {
      const parts = await tx.rows<ExpiredPart>(sql`
        delete from smpp_parts where (account_id, smpp_account_id, key, part) in (
          select account_id, smpp_account_id, key, part from smpp_parts
          where create_date < now() - make_interval(mins => ${PART_MINUTES}) limit ${BATCH} for update skip locked)
        returning account_id, smpp_account_id, message_id, part, accepted, registered_delivery, addresses,
          create_date`);
      const rows = parts
        .filter((part) => !part.accepted && wantsReceipt(part.registered_delivery, 'REJECTED'))
        .map((part) => ({ ...part, seq: 0, body: rejection(part) }));
      const keys = [...new Map(rows.map((row) => [row.smpp_account_id, row])).values()];
      const accounts = await tx.rows<{ account_id: string; id: string; pending_count: number }>(sql`
        select a.account_id, a.id, a.pending_count
        from unnest(${keys.map(({ account_id }) => account_id)}::uuid[],
                    ${keys.map(({ smpp_account_id }) => smpp_account_id)}::uuid[]) as t(account_id, id)
        join smpp_accounts a on a.account_id = t.account_id and a.id = t.id and a.delete_date is null`);
      await insertDeliveries(tx, accounts, rows);
      return parts.length;
    });
}

const rejection = ({ message_id, part, create_date, addresses }: ExpiredPart): DeliveryBody => ({
  ...{ kind: 'receipt', id: partId(message_id, part), state: 'REJECTED', error: 0, text: '' },
  ...{ submit_date: create_date, done_date: create_date, ...addresses },
});

export async function expireDeliveries(db: Db, kept_hours: number, signal: AbortSignal): Promise<void> {
  let removed = BATCH;
  while (removed === BATCH && !signal.aborted)
    removed = await db.tx(async (tx) => {
      const rows = await tx.rows<{ account_id: string; smpp_account_id: string }>(sql`
        delete from smpp_deliveries where (account_id, id) in (
          select account_id, id from smpp_deliveries
          where create_date < now() - make_interval(hours => ${kept_hours}) limit ${BATCH} for update skip locked)
        returning account_id, smpp_account_id`);
      const counts = new Map<string, { account_id: string; count: number }>();
      for (const { account_id, smpp_account_id: id } of rows)
        counts.set(id, { account_id, count: (counts.get(id)?.count ?? 0) + 1 });
      for (const [id, { account_id, count }] of [...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
        await tx.run(sql`
          update smpp_accounts set pending_count = pending_count - ${count}
          where account_id = ${account_id} and id = ${id}`);
      return rows.length;
    });
}

/** Deletes the rows of old messages, account by account. */
export async function expireMessages(db: Queryable, now: Date, signal: AbortSignal): Promise<void> {
  const before = new Date(now.getTime() - KEPT_DAYS * 86_400_000);
  const accounts = await db.rows<{ account_id: string }>(sql`select distinct account_id from smpp_accounts`);
  for (const { account_id } of accounts) {
    let removed = BATCH;
    while (removed === BATCH && !signal.aborted)
      removed = await db.run(sql`
        delete from smpp_messages where account_id = ${account_id} and id in (
          select id from smpp_messages
          where account_id = ${account_id} and id < ${idAt(before.getTime())}::uuid limit ${BATCH})`);
  }
}
