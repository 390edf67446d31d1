/**
 * The one way back: a message that failed without being charged goes to the queue again, under a new hold. A campaign's retry asks for it, nobody
 * else. The message stays the same row, so its recipient can never have two, and its timeline tells both tries.
 */
import type { Failure } from '@parley/contract/messages/messages.ts';
import { openHold } from '../billing/billing.ts';
import type { Db, Sql, Tx } from '../kernel/db/db.ts';
import { sql } from '../kernel/db/db.ts';
import { timelineTime } from './fold.ts';
import { routeBook } from './routing.ts';
import { wakeDispatch } from './wake.ts';

/** Whether the same message may well go through another time. What a carrier or a person refused stays refused. */
const PASSES: Record<Failure, boolean> = {
  connection: true,
  throttled: true,
  config: true,
  unknown: true,
  expired: true,
  rejected: false,
  invalid: false,
  opted_out: false,
};

/** Of `messages m`. A message is charged once at most: what was settled is over. */
export const RETRYABLE: Sql = sql`(
  m.direction = 'MT' and m.charge = 'released' and m.status in ('failed', 'rejected', 'expired')
  and m.failure = any(${Object.entries(PASSES).flatMap(([failure, passes]) => (passes ? [failure] : []))}::text[]))`;

export interface Revival {
  readonly account_id: string;
  readonly campaign_id: string;
  /** At most 1,000. */
  readonly message_ids: readonly string[];
  readonly validity_seconds: number;
}

interface Candidate {
  id: string;
  number: string;
  country: string;
  channel: string;
  price_micros: number;
  /** Where the sender is known to one carrier only. */
  sender_connection: string | null;
}

/**
 * How many were queued again. Those that are not retryable any more, or that nobody carries, are left as they are.
 * BALANCE_NOT_ENOUGH: not enough money.
 */
export async function revive(tx: Tx, kernel: { db: Db }, revival: Revival): Promise<number> {
  const { account_id, campaign_id } = revival;
  const candidates = await tx.rows<Candidate>(sql`
    select m.id, m.number, m.country, m.channel, m.price_micros, s.connection_id as sender_connection
    from messages m join senders s on s.account_id = m.account_id and s.id = m.sender_id
    where m.account_id = ${account_id} and m.campaign_id = ${campaign_id} and m.id = any(${revival.message_ids}::uuid[]) and ${RETRYABLE}
    order by m.account_id, m.id for update of m`);
  const routes = await routeBook(kernel, tx);
  const revived = candidates.flatMap((candidate) => {
    const { channel, number, country, sender_connection } = candidate;
    const connection_id = sender_connection ?? routes.route(channel, number, country)?.connection_id;
    return connection_id ? [{ ...candidate, connection_id }] : [];
  });
  if (revived.length === 0) return 0;
  const amount_micros = revived.reduce((sum, message) => sum + message.price_micros, 0);
  const hold = { account_id, campaign_id, amount_micros, message_count: revived.length, note: 'Tried again' };
  const hold_id = await openHold(tx, hold);
  const expires = new Date(tx.now.getTime() + revival.validity_seconds * 1_000);
  const entry = [{ at: timelineTime(tx.now), status: 'enroute', source: 'person', text: 'Tried again' }];
  await tx.run(sql`
    with message as (
      update messages m set
        status = 'enroute', charge = 'held', hold_id = ${hold_id}, expire_date = ${expires}, connection_id = t.connection_id,
        possible_duplicate = m.possible_duplicate or m.failure = 'unknown', failure = null, carrier_code = null, status_details = null,
        timeline = m.timeline || ${JSON.stringify(entry)}::jsonb, update_date = ${tx.now}
      from unnest(${revived.map(({ id }) => id)}::uuid[], ${revived.map((message) => message.connection_id)}::uuid[])
        as t(id, connection_id)
      where m.account_id = ${account_id} and m.id = t.id
      returning m.account_id, m.id, m.connection_id, m.channel, m.number, coalesce((
        select s.carrier_address from senders s where s.account_id = m.account_id and s.id = m.sender_id), m."from") as sender_address
    )
    insert into dispatch (account_id, message_id, connection_id, channel, priority, not_before, expire_date, number, sender_address)
    select account_id, id, connection_id, channel, 9, ${tx.now}::timestamptz, ${expires}::timestamptz, number, sender_address from message`);
  wakeDispatch(tx);
  return revived.length;
}
