/** Reads the carrier state of senders: of all senders every hour, and of a single sender after its approval. */
import { openConnection } from '../../connections/connections.ts';
import { sql } from '../../kernel/db/db.ts';
import { job } from '../../kernel/jobs/jobs.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { recordCarrierStates } from './state.ts';

export const refreshStatesJob = job('senders.look_all', { cron: '52 * * * *', retry: 0, expire_seconds: 1_800 });

/** Throws if the carrier is not available. */
export async function refreshState(kernel: Kernel, account_id: string, sender_id: string): Promise<void> {
  const { db } = kernel;
  const sender = await db.maybeOne<{ connection_id: string; carrier_address: string }>(sql`
    select connection_id, carrier_address from senders
    where account_id = ${account_id} and id = ${sender_id} and delete_date is null and status = 'available'
      and connection_id is not null and carrier_address is not null`);
  const connection = sender && (await openConnection(kernel, db, sender.connection_id));
  if (!connection?.adapter.senders) return;
  const { carrier_address: address } = sender!;
  const state = await connection.adapter.senders.fetchState(connection.spec, address);
  await kernel.db.tx((tx) => recordCarrierStates(tx, connection.id, [{ address, state }]));
}

/**
 * Reads one sender after the other, so that no carrier gets many requests at once. A failure does not stop the loop.
 */
export async function refreshAllStates(kernel: Kernel, signal: AbortSignal): Promise<number> {
  const senders = await kernel.db.rows<{ account_id: string; id: string }>(sql`
    select account_id, id from senders
    where connection_id is not null and carrier_address is not null and delete_date is null and shared_from is null
      and status = 'available' order by id`);
  let failed = 0;
  for (const { account_id, id } of senders) {
    if (signal.aborted) break;
    try {
      await refreshState(kernel, account_id, id);
    } catch (error) {
      failed++;
      const { message } = error as Error;
      kernel.log.warn({ sender_id: id, error: message }, 'the carrier state of a sender could not be read');
    }
  }
  return failed;
}
