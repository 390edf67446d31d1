/**
 * Senders that are given up leave their carrier too: a job deregisters the number there, so that it is free to be somebody else's, and goes on until the carrier has
 * answered. Nobody waits for it. Days later, when nothing is to be heard of old messages any more, an account of a carrier that no sender stands on is told to
 * call back no more.
 */

import { CarrierRefusal } from '../channels/channel.ts';
import { adaptersWith } from '../channels/index.ts';
import { listSameAccount, openConnection } from '../connections/connections.ts';
import { type Queryable, sql, type Tx } from '../kernel/db/db.ts';
import { enqueue, job } from '../kernel/jobs/jobs.ts';
import type { Kernel } from '../kernel/kernel.ts';

export interface Departure {
  sender_id: string;
  connection_id: string;
  carrier_address: string;
}
/** A day of attempts, and more. */
export const departJob = job<Departure>('senders.depart', { retry: 60, retry_seconds: 10, expire_seconds: 120 });

/** Nothing for senders that are carried by routes, or were never at a carrier. */
export async function depart(
  tx: Tx,
  { id, connection_id, carrier_address }: { id: string; connection_id: string | null; carrier_address: string | null },
): Promise<void> {
  if (connection_id && carrier_address) await enqueue(tx, departJob, { sender_id: id, connection_id, carrier_address });
}

/** Whoever has the number again by now keeps it. May run twice. */
export async function leaveCarrier(
  kernel: Kernel,
  { sender_id, connection_id, carrier_address }: Departure,
): Promise<void> {
  const connection = await openConnection(kernel, kernel.db, connection_id);
  if (!connection?.adapter.senders || (await isTaken(kernel.db, connection.channel, carrier_address))) return;
  try {
    await connection.adapter.senders.release(connection.spec, carrier_address);
    kernel.log.info({ sender_id, connection_id }, 'a sender that was given up has left its carrier');
  } catch (error) {
    // It says no for good: a person has to look there.
    if (!(error instanceof CarrierRefusal)) throw error;
    kernel.log.error(
      { err: error, sender_id, connection_id },
      'a sender that was given up could not leave its carrier',
    );
  }
}

const isTaken = async (db: Queryable, channel: string, carrier_address: string): Promise<boolean> =>
  (await db.maybeOne(sql`
    select 1 from senders
    where channel = ${channel} and carrier_address = ${carrier_address} and delete_date is null and lent_from is null limit 1`)) !==
  null;

export const tidyJob = job('senders.tidy_callbacks', { cron: '27 * * * *', retry: 1, expire_seconds: 600 });

/** Longer than any carrier of ours takes to say what became of a message. */
const QUIET_DAYS = 5;
const WORDS = 'No sender stands on it any more: the carrier was told to call back no more';

/** How many accounts of carriers were told. One that is away is asked again in an hour. */
export async function tidyCallbacks(kernel: Kernel, signal: AbortSignal): Promise<number> {
  const { db, clock } = kernel;
  const idle = await db.rows<{ id: string }>(sql`
    select c.id from connections c
    where c.adapter = any(${adaptersWith('registration')}::text[]) and (c.callback_state->>'ok')::boolean
      and (select max(s.delete_date) from senders s where s.connection_id = c.id) < ${new Date(clock.now().getTime() - QUIET_DAYS * 86_400_000)}
      and not exists (select from senders s where s.connection_id = c.id and s.delete_date is null and s.lent_from is null)
    order by c.id`);
  let told = 0;
  for (const { id } of idle) {
    if (signal.aborted) break;
    const connection = await openConnection(kernel, db, id);
    if (!connection?.adapter.registration || (await isUsed(db, await listSameAccount(db, id)))) continue;
    try {
      await connection.adapter.registration.unsubscribe(connection.spec);
    } catch (error) {
      kernel.log.warn({ err: error, connection_id: id }, 'a carrier could not be told to call back no more');
      if (!(error instanceof CarrierRefusal)) continue;
    }
    const at = clock.now().toISOString().slice(0, 19).replace('T', ' ');
    const state = { at, ok: false, text: WORDS, url: '', ended: true };
    await db.run(sql`update connections set callback_state = ${JSON.stringify(state)}::jsonb where id = ${id}`);
    told++;
  }
  return told;
}

const isUsed = async (db: Queryable, connections: readonly string[]): Promise<boolean> =>
  (await db.maybeOne(sql`
    select 1 from senders
    where connection_id = any(${connections}::uuid[]) and delete_date is null and lent_from is null limit 1`)) !== null;
