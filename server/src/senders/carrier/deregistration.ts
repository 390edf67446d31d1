/**
 * Deregisters removed senders at their carrier, so that others can use the number. A job retries in the background
 * until the carrier has responded. Days later, when no more receipts are expected, a carrier account without senders is
 * unsubscribed from callbacks.
 */
import { CarrierRefusal } from '../../channels/channel.ts';
import { adaptersWith } from '../../channels/index.ts';
import { listSameAccount, openConnection } from '../../connections/connections.ts';
import { type Queryable, sql, type Tx } from '../../kernel/db/db.ts';
import { enqueue, job } from '../../kernel/jobs/jobs.ts';
import type { Kernel } from '../../kernel/kernel.ts';

interface Deregistration {
  sender_id: string;
  connection_id: string;
  carrier_address: string;
}
/** Retries for more than a day. */
export const deregisterJob = job<Deregistration>('senders.depart', {
  retry: 60,
  retry_seconds: 10,
  expire_seconds: 120,
});

/** Does nothing for a sender that was never enrolled at a carrier. */
export async function deregisterSender(
  tx: Tx,
  { id, connection_id, carrier_address }: { id: string; connection_id: string | null; carrier_address: string | null },
): Promise<void> {
  if (connection_id && carrier_address)
    await enqueue(tx, deregisterJob, { sender_id: id, connection_id, carrier_address });
}

/** Skips a number that has become a sender again. Idempotent. */
export async function deregisterAtCarrier(
  kernel: Kernel,
  { sender_id, connection_id, carrier_address }: Deregistration,
): Promise<void> {
  const connection = await openConnection(kernel, kernel.db, connection_id);
  if (!connection?.adapter.senders || (await isTaken(kernel.db, connection.channel, carrier_address))) return;
  try {
    await connection.adapter.senders.release(connection.spec, carrier_address);
    kernel.log.info({ sender_id, connection_id }, 'a removed sender was deregistered at its carrier');
  } catch (error) {
    // The refusal is final. An operator must deregister the number at the carrier.
    if (!(error instanceof CarrierRefusal)) throw error;
    kernel.log.error(
      { err: error, sender_id, connection_id },
      'a removed sender could not be deregistered at its carrier',
    );
  }
}

const isTaken = async (db: Queryable, channel: string, carrier_address: string): Promise<boolean> =>
  (await db.maybeOne(sql`
    select 1 from senders
    where channel = ${channel} and carrier_address = ${carrier_address} and delete_date is null and shared_from is null
    limit 1`)) !== null;

export const unsubscribeJob = job('senders.tidy_callbacks', { cron: '27 * * * *', retry: 1, expire_seconds: 600 });

/** Longer than any carrier takes to send its last receipt. */
const QUIET_DAYS = 5;
const ENDED = 'No sender uses this connection, so its callbacks were unsubscribed';

/** Returns the number of unsubscribed connections. If a carrier is not available, the call is retried after an hour. */
export async function unsubscribeCallbacks(kernel: Kernel, signal: AbortSignal): Promise<number> {
  const { db, clock } = kernel;
  const idle = await db.rows<{ id: string }>(sql`
    select c.id from connections c
    where c.adapter = any(${adaptersWith('registration')}::text[]) and (c.callback_state->>'ok')::boolean
      and (select max(s.delete_date) from senders s where s.connection_id = c.id)
        < ${new Date(clock.now().getTime() - QUIET_DAYS * 86_400_000)}
      and not exists (
        select from senders s where s.connection_id = c.id and s.delete_date is null and s.shared_from is null)
    order by c.id`);
  let count = 0;
  for (const { id } of idle) {
    if (signal.aborted) break;
    const connection = await openConnection(kernel, db, id);
    if (!connection?.adapter.registration?.unsubscribe || (await isUsed(db, await listSameAccount(db, id)))) continue;
    try {
      await connection.adapter.registration.unsubscribe(connection.spec);
    } catch (error) {
      kernel.log.warn({ err: error, connection_id: id }, 'the callbacks of a carrier could not be unsubscribed');
      if (!(error instanceof CarrierRefusal)) continue;
    }
    const at = clock.now().toISOString().slice(0, 19).replace('T', ' ');
    const state = { at, ok: false, text: ENDED, url: '', ended: true };
    await db.run(sql`update connections set callback_state = ${JSON.stringify(state)}::jsonb where id = ${id}`);
    count++;
  }
  return count;
}

const isUsed = async (db: Queryable, connections: readonly string[]): Promise<boolean> =>
  (await db.maybeOne(sql`
    select 1 from senders
    where connection_id = any(${connections}::uuid[]) and delete_date is null and shared_from is null
    limit 1`)) !== null;
