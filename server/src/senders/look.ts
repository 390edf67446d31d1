/** What a carrier says of a sender (quality, limits, its name), kept for its owner to read. Nothing is decided by it. */
import { openConnection } from '../connections/connections.ts';
import { sql } from '../kernel/db/db.ts';
import { job } from '../kernel/jobs/jobs.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { takeSenderStates } from './carrier_state.ts';

export { lookJob } from './look_job.ts';

export const lookAllJob = job('senders.look_all', { cron: '52 * * * *', retry: 0, expire_seconds: 1_800 });

/** A carrier that is away throws. */
export async function lookAt(kernel: Kernel, account_id: string, sender_id: string): Promise<void> {
  const { db } = kernel;
  const sender = await db.maybeOne<{ connection_id: string; carrier_address: string }>(sql`
    select connection_id, carrier_address from senders
    where account_id = ${account_id} and id = ${sender_id} and delete_date is null and status = 'available'
      and connection_id is not null and carrier_address is not null`);
  const connection = sender && (await openConnection(kernel, db, sender.connection_id));
  if (!connection?.adapter.senders) return;
  const { carrier_address: address } = sender!;
  const state = await connection.adapter.senders.fetchState(connection.spec, address);
  await kernel.db.tx((tx) => takeSenderStates(tx, connection.id, [{ address, state }]));
}

/** One after the other, so that no carrier is asked by many at once; one that is away keeps nobody from being asked. */
export async function lookAtAll(kernel: Kernel, signal: AbortSignal): Promise<number> {
  const senders = await kernel.db.rows<{ account_id: string; id: string }>(sql`
    select account_id, id from senders
    where connection_id is not null and carrier_address is not null and delete_date is null and lent_from is null
      and status = 'available' order by id`);
  let failed = 0;
  for (const { account_id, id } of senders) {
    if (signal.aborted) break;
    try {
      await lookAt(kernel, account_id, id);
    } catch (error) {
      failed++;
      kernel.log.warn({ sender_id: id, error: (error as Error).message }, 'a carrier did not tell how a sender stands');
    }
  }
  return failed;
}
