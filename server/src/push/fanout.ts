/**
 * Creates notifications from events, in the order of their positions. The position moves in the same transaction, so
 * each event creates its notifications exactly once, also after a crash. One worker does this at a time.
 */
import { canViewBucket, conversationBucket } from '@parley/contract/inbox/inbox.ts';
import type { Permissions } from '@parley/contract/permission.ts';
import { newId } from '../kernel/clock.ts';
import { type Db, sql, type Tx } from '../kernel/db/db.ts';

const BATCH = 1_000;
const TYPES = ['message.created', 'conversation.assigned', 'conversation_mention.created'];

/** Returns true if there may be more events. */
export const fanOut = (db: Db): Promise<boolean> => db.tx(fanOutBatch);

async function fanOutBatch(tx: Tx): Promise<boolean> {
  const position = await tx.maybeOne<{ seq: number; last: number }>(sql`
    select p.seq, e.seq as last from push_position p, event_position e where e.seq > p.seq
    for update of p skip locked`);
  if (!position) return false;
  const until = Math.min(position.last, position.seq + BATCH);
  const devices = await tx.rows<Device>(sql`
    select d.account_id, d.id, d.user_id, u.is_owner, u.permissions, coalesce(s.new_messages, true) or exists (
             select from view_notifications n
             where n.account_id = d.account_id and n.user_id = d.user_id and n.devices) as new_messages,
           coalesce(s.assignments, true) as assignments, coalesce(s.mentions, true) as mentions
    from push_devices d
    join users u on u.account_id = d.account_id and u.id = d.user_id and not u.blocked
    left join push_settings s on s.account_id = d.account_id and s.user_id = d.user_id
    where d.account_id in (
      select account_id from event_positions where seq > ${position.seq} and seq <= ${until})`);
  if (devices.length > 0) await createDeliveries(tx, devices, position.seq, until);
  await tx.run(sql`update push_position set seq = ${until}`);
  return until < position.last;
}

interface Device {
  account_id: string;
  id: string;
  user_id: string;
  is_owner: boolean;
  permissions: Permissions;
  /** Also true if the user wants the messages of a saved view; `compose` decides about each. */
  new_messages: boolean;
  assignments: boolean;
  mentions: boolean;
}

interface StoredEvent {
  account_id: string;
  type: string;
  payload: Record<string, unknown>;
  /** To whom the conversation of a message is assigned. */
  assignee_id: string | null;
}

interface Notification {
  kind: 'message' | 'assignment' | 'mention';
  conversation_id: string;
  target_id: string | null;
}

async function createDeliveries(tx: Tx, devices: readonly Device[], after: number, until: number): Promise<void> {
  const events = await tx.rows<StoredEvent>(sql`
    select p.account_id, e.type, e.payload, c.assignee_id
    from event_positions p
    join events e on e.account_id = p.account_id and e.id = p.event_id
    left join conversations c on e.type = 'message.created' and c.account_id = e.account_id
      and c.id = (e.payload->>'conversation_id')::uuid
    where p.seq > ${after} and p.seq <= ${until} and e.type = any(${TYPES}::text[]) and not e.many
      and p.account_id = any(${[...new Set(devices.map(({ account_id }) => account_id))]}::uuid[])
    order by p.seq`);
  const rows = events.flatMap((event) =>
    devices
      .filter(({ account_id }) => account_id === event.account_id)
      .flatMap((device) => {
        const found = notify(event, device);
        return found ? [{ ...found, account_id: event.account_id, device_id: device.id, id: newId() }] : [];
      }),
  );
  if (rows.length === 0) return;
  // Messages that follow before a notification is sent are part of it.
  await tx.run(sql`
    insert into push_deliveries (account_id, id, device_id, kind, conversation_id, target_id, next_date, create_date)
    select r.account_id, r.id, r.device_id, r.kind, r.conversation_id, r.target_id, ${tx.now}, ${tx.now}
    from unnest(${rows.map((row) => row.account_id)}::uuid[], ${rows.map((row) => row.id)}::uuid[],
                ${rows.map((row) => row.device_id)}::uuid[], ${rows.map((row) => row.kind)}::text[],
                ${rows.map((row) => row.conversation_id)}::uuid[], ${rows.map((row) => row.target_id)}::uuid[])
      as r(account_id, id, device_id, kind, conversation_id, target_id)
    on conflict do nothing`);
}

/** The notification that an event creates for the user of a device; null: none. */
function notify({ type, payload, assignee_id }: StoredEvent, device: Device): Notification | null {
  const conversation_id = typeof payload.conversation_id === 'string' ? payload.conversation_id : null;
  if (conversation_id === null) return null;
  const target_id = typeof payload.id === 'string' ? payload.id : null;
  if (type === 'message.created') {
    if (!device.new_messages || payload.direction !== 'MO') return null;
    const viewer = { user_id: device.user_id, permissions: device.permissions };
    const isVisible = device.is_owner || canViewBucket(conversationBucket(assignee_id, device.user_id), viewer);
    return isVisible ? { kind: 'message', conversation_id, target_id } : null;
  }
  if (type === 'conversation_mention.created')
    return device.mentions && payload.user_id === device.user_id
      ? { kind: 'mention', conversation_id, target_id }
      : null;
  const { to, by } = payload as { to: { id: string } | null; by: { id: string } | null };
  const isOwn = by?.id === device.user_id;
  return device.assignments && to?.id === device.user_id && !isOwn
    ? { kind: 'assignment', conversation_id, target_id: null }
    : null;
}
