/** The ways of messages as they are stored. Everything here is done under the lock of the message. */
import type { MessageLeg, Status } from '@parley/contract/messages/messages.ts';
import { type Queryable, sql, type Tx } from '../kernel/db/db.ts';
import { dueOf, isQueued, type Leg, type Order } from './legs.ts';
import { wakeDispatch } from './wake.ts';

export interface OrderRow extends Order {
  readonly account_id: string;
  readonly message_id: string;
  readonly number: string;
  readonly country: string;
  readonly currency: string;
  readonly source: string;
  readonly status: Status;
  readonly create_date: string;
  /** In milliseconds. */
  readonly expires: number;
}

interface MessageKey {
  readonly account_id: string;
  readonly message_id: string;
}

/** Of those that have more than one way. To be asked once they are locked, in a statement of its own: only then is the answer the latest. */
export const ordersOf = (tx: Tx, messages: readonly MessageKey[]): Promise<OrderRow[]> =>
  tx.rows<OrderRow>(sql`
    select f.account_id, f.message_id, f.legs, f.current, m.number, m.country, m.currency, m.source, m.status, m.create_date,
           floor(extract(epoch from m.expire_date) * 1000)::float8 as expires
    from unnest(${messages.map(({ account_id }) => account_id)}::uuid[], ${messages.map(({ message_id }) => message_id)}::uuid[])
      as t(account_id, message_id)
    join fallbacks f on f.account_id = t.account_id and f.message_id = t.message_id
    join messages m on m.account_id = f.account_id and m.id = f.message_id`);

/** Those whose row in the queue nobody has taken; it is ours then. */
export const lockQueued = async (tx: Tx, { account_id, message_id }: MessageKey): Promise<boolean> =>
  (await tx.maybeOne(sql`
    select 1 from dispatch
    where account_id = ${account_id} and message_id = ${message_id} and stage = 'queued' and sent_parts = '{}'
    for update skip locked`)) !== null;

export interface OrderWrite {
  readonly row: OrderRow;
  readonly order: Order;
  readonly moved: boolean;
  readonly paid_micros: number | null;
}

/** The message is what its way in effect is; the queue has that way if it has not left. Attempts are counted on, so that a late answer is known for one. */
export async function writeOrder(tx: Tx, { row, order, moved, paid_micros }: OrderWrite): Promise<void> {
  const { account_id, message_id, expires } = row;
  const leg = order.legs[order.current]!;
  const due = dueOf(order, expires);
  await tx.run(sql`
    update fallbacks set legs = ${JSON.stringify(order.legs)}::jsonb, current = ${order.current}::smallint,
      due_date = ${due === null ? null : new Date(due)}::timestamptz, handed = ${order.legs.some(({ handed }) => handed !== null)}
    where account_id = ${account_id} and message_id = ${message_id}`);
  if (!isQueued(order)) await leaveQueue(tx, row);
  else if (moved) await enterQueue(tx, row, leg);
  if (moved)
    await tx.run(sql`
      update messages set channel = ${leg.channel}, sender_id = ${leg.sender_id}, "from" = ${leg.from}, text = ${leg.text},
        type = ${leg.type}, content = ${leg.content && JSON.stringify(leg.content)}::jsonb, template_id = ${leg.template_id},
        segments_count = ${leg.segments_count}, encoding = ${leg.encoding}, mccmnc = ${leg.mccmnc}
      where account_id = ${account_id} and id = ${message_id}`);
  if (paid_micros !== null)
    await tx.run(sql`
      update messages set price_micros = ${paid_micros} where account_id = ${account_id} and id = ${message_id}`);
}

const leaveQueue = (tx: Tx, { account_id, message_id }: MessageKey) =>
  tx.run(sql`
    with gone as (
      delete from dispatch where account_id = ${account_id} and message_id = ${message_id} returning attempt
    )
    update messages m set attempts = m.attempts + gone.attempt from gone
    where m.account_id = ${account_id} and m.id = ${message_id}`);

async function enterQueue(tx: Tx, { account_id, message_id }: MessageKey, leg: Leg): Promise<void> {
  await tx.run(sql`
    insert into dispatch as d (account_id, message_id, connection_id, channel, priority, not_before, expire_date, number, sender_address, attempt)
    select m.account_id, m.id, ${leg.connection_id}::uuid, ${leg.channel}, f.priority, ${tx.now}::timestamptz, m.expire_date, m.number,
           ${leg.sender_address}, m.attempts
    from messages m join fallbacks f on f.account_id = m.account_id and f.message_id = m.id
    where m.account_id = ${account_id} and m.id = ${message_id}
    on conflict (account_id, message_id) do update set
      connection_id = excluded.connection_id, channel = excluded.channel, stage = 'queued', not_before = excluded.not_before,
      sender_address = excluded.sender_address, worker_id = null, line_id = null, attempt = d.attempt + excluded.attempt, reference = 0,
      submit_date = null, unknown_date = null, refusals = 0, sent_parts = '{}', resent = false`);
  await tx.run(sql`update messages set attempts = 0 where account_id = ${account_id} and id = ${message_id}`);
  wakeDispatch(tx);
}

/** `legs`: of each message, in the order of the messages. */
export async function insertOrders(
  tx: Tx,
  account_id: string,
  priority: number,
  ids: readonly string[],
  legs: readonly (readonly Leg[])[],
  expires: number,
): Promise<void> {
  const due = legs.map((one) => dueOf({ legs: one, current: 0 }, expires));
  await tx.run(sql`
    insert into fallbacks (account_id, message_id, legs, priority, due_date)
    select ${account_id}::uuid, id, legs, ${priority}::smallint, due
    from unnest(${ids}::uuid[], ${legs.map((one) => JSON.stringify(one))}::jsonb[],
                ${due.map((at) => (at === null ? null : new Date(at)))}::timestamptz[]) as t(id, legs, due)`);
}

export async function legsOf(db: Queryable, account_id: string, message_id: string): Promise<MessageLeg[]> {
  const row = await db.maybeOne<{ legs: Leg[] }>(
    sql`select legs from fallbacks where account_id = ${account_id} and message_id = ${message_id}`,
  );
  return (row?.legs ?? []).map((leg, place) => ({
    leg: place + 1,
    channel: leg.channel,
    from: leg.from,
    type: leg.type,
    text: leg.text,
    trigger: leg.trigger,
    wait_seconds: leg.wait_seconds,
    state: leg.state,
    reason: leg.reason,
    status: leg.status,
    price_micros: leg.price_micros,
  }));
}
