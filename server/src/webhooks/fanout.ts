/**
 * Creates the deliveries of events, in the order of their positions. The position moves in the same transaction, so
 * each event creates its deliveries exactly once, also after a crash. One worker does this at a time.
 */
import { newId } from '../kernel/clock.ts';
import { type Db, type Queryable, sql, type Tx } from '../kernel/db/db.ts';
import { compose, EVENT_TYPES, type StoredEvent, type Subscription } from './bodies.ts';

const BATCH = 1_000;

/** `none`: there were no events. `more`: there may be more. */
type FannedOut = 'none' | 'all' | 'more';

export const fanOut = (db: Db): Promise<FannedOut> => db.tx(fanOutBatch);

async function fanOutBatch(tx: Tx): Promise<FannedOut> {
  const position = await tx.maybeOne<{ seq: number; last: number }>(sql`
    select p.seq, e.seq as last from webhook_position p, event_position e where e.seq > p.seq
    for update of p skip locked`);
  if (!position) return 'none';
  const until = Math.min(position.last, position.seq + BATCH);
  const webhooks = await tx.rows<Subscription>(sql`
    select account_id, id, event, events, channels, sender_ids, sees_spend from webhooks
    where delete_date is null and account_id in (
      select account_id from event_positions where seq > ${position.seq} and seq <= ${until})`);
  if (webhooks.length > 0) await createDeliveries(tx, webhooks, position.seq, until);
  await tx.run(sql`update webhook_position set seq = ${until}`);
  return until < position.last ? 'more' : 'all';
}

async function createDeliveries(
  tx: Tx,
  webhooks: readonly Subscription[],
  after: number,
  until: number,
): Promise<void> {
  const stored = await tx.rows<StoredEvent & { many: boolean }>(sql`
    select p.account_id, p.seq, e.type, e.payload, e.many,
           to_char(p.published_at, 'YYYY-MM-DD HH24:MI:SS.MS') as published_at
    from event_positions p join events e on e.account_id = p.account_id and e.id = p.event_id
    where p.seq > ${after} and p.seq <= ${until} and e.type = any(${EVENT_TYPES}::text[])
      and p.account_id = any(${webhooks.map(({ account_id }) => account_id)}::uuid[])
    order by p.seq`);
  const events: StoredEvent[] = stored.flatMap(({ many, ...event }) =>
    many ? (event.payload as unknown as StoredEvent['payload'][]).map((payload) => ({ ...event, payload })) : [event],
  );
  const echoes = await readEchoes(tx, events);
  const rows = events.flatMap((event) =>
    webhooks
      .filter(({ account_id }) => account_id === event.account_id)
      .flatMap((webhook) => {
        const composed = compose(webhook, event, echoes.get(String(event.payload.id)) ?? testEcho(event));
        return composed
          ? [{ ...composed, account_id: event.account_id, webhook_id: webhook.id, seq: event.seq, id: newId() }]
          : [];
      }),
  );
  if (rows.length > 0) await insertDeliveries(tx, rows);
}

/** Events of test messages contain the payload that was given at the send. */
export const testEcho = ({ payload }: StoredEvent): string | null =>
  payload.test === true && typeof payload.payload === 'string' ? payload.payload : null;

/** The payloads that were given when messages were sent. */
export async function readEchoes(tx: Queryable, events: readonly StoredEvent[]): Promise<Map<string, string>> {
  const reports = events.filter(({ type }) => type === 'message.status_changed');
  if (reports.length === 0) return new Map();
  const rows = await tx.rows<{ id: string; payload: string }>(sql`
    select m.id, m.payload
    from unnest(${reports.map(({ account_id }) => account_id)}::uuid[],
                ${reports.map(({ payload }) => String(payload.id))}::uuid[]) as t(account_id, id)
    join messages m on m.account_id = t.account_id and m.id = t.id
    where m.payload is not null`);
  return new Map(rows.map(({ id, payload }) => [id, payload]));
}

export interface NewDelivery {
  account_id: string;
  id: string;
  webhook_id: string;
  event: string;
  seq: number;
  order_key: string | null;
  body: string;
}

/** Deliveries of a disabled webhook count as failed immediately, so that they can be recovered. */
export async function insertDeliveries(tx: Tx, rows: readonly NewDelivery[]): Promise<void> {
  const column = <T>(pick: (row: NewDelivery) => T): T[] => rows.map(pick);
  await tx.run(sql`
    insert into webhook_deliveries (account_id, id, webhook_id, event, seq, order_key, body, status, error)
    select t.*, case w.status when 'disabled' then 'failed' else 'pending' end,
      case w.status when 'disabled' then 'The webhook was disabled' end
    from unnest(
      ${column(({ account_id }) => account_id)}::uuid[], ${column(({ id }) => id)}::uuid[],
      ${column(({ webhook_id }) => webhook_id)}::uuid[], ${column(({ event }) => event)}::text[],
      ${column(({ seq }) => seq)}::bigint[], ${column(({ order_key }) => order_key)}::text[],
      ${column(({ body }) => body)}::text[]) as t(account_id, id, webhook_id, event, seq, order_key, body)
    join webhooks w on w.account_id = t.account_id and w.id = t.webhook_id`);
  await tx.run(sql`
    update webhooks w set next_date = greatest(now(), w.open_until)
    from (select distinct * from unnest(${column(({ account_id }) => account_id)}::uuid[],
      ${column(({ webhook_id }) => webhook_id)}::uuid[])) as t(account_id, id)
    where w.account_id = t.account_id and w.id = t.id and w.status <> 'disabled'`);
}
