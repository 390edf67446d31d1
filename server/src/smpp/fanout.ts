/**
 * Creates the deliveries of SMPP accounts from events: receipts for the messages that they sent, and inbound messages.
 * The position moves in the same transaction, so each event creates its deliveries exactly once, also after a crash.
 * One worker does this at a time.
 */
import { PHONE_CHANNEL } from '@parley/contract/channels/names.ts';
import { type Message, messageCreated, messageStatusChanged } from '@parley/contract/messages/messages.ts';
import type { MessageState } from '@parley/smpp/receipt.ts';
import { newId } from '../kernel/clock.ts';
import { type Db, sql, type Tx } from '../kernel/db/db.ts';
import { EVENT_GATHER_MS, PollLoop } from '../kernel/jobs/poll_loop.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { onEvents } from '../kernel/live/events.ts';
import type { DeliveryBody } from './delivery_pdus.ts';
import { partId } from './parts.ts';
import { errorCode, isFinal, STATES } from './statuses.ts';
import { allowsSource } from './submit_input.ts';

const BATCH = 1_000;
const POLL_MS = 500;
/**
 * The maximum number of waiting deliveries per SMPP account. More deliveries are dropped, and the account's page
 * reports it.
 */
export const MAX_PENDING = 100_000;

interface Subscriber {
  account_id: string;
  id: string;
  sources: string[];
  receives_inbound: boolean;
  pending_count: number;
}

interface StoredEvent {
  account_id: string;
  seq: number;
  type: string;
  payload: Message;
}

/** The message of an event, as its program submitted it. */
interface SubmittedMessage {
  account_id: string;
  id: string;
  message_id: string;
  smpp_account_id: string;
  source_ton: number;
  source_npi: number;
  source_addr: string;
  dest_ton: number;
  dest_npi: number;
  dest_addr: string;
  receipts: number[];
  receipt_state: MessageState | null;
}

interface NewDelivery {
  account_id: string;
  smpp_account_id: string;
  message_id: string;
  seq: number;
  body: DeliveryBody;
}

/** Returns true if there may be more events. */
export const fanOut = (db: Db): Promise<boolean> => db.tx(fanOutBatch);

async function fanOutBatch(tx: Tx): Promise<boolean> {
  const position = await tx.maybeOne<{ seq: number; last: number }>(sql`
    select p.seq, e.seq as last from smpp_position p, event_position e where e.seq > p.seq
    for update of p skip locked`);
  if (!position) return false;
  const until = Math.min(position.last, position.seq + BATCH);
  const subscribers = await tx.rows<Subscriber>(sql`
    select a.* from (select distinct account_id from event_positions where seq > ${position.seq} and seq <= ${until}) e
    -- Reads only the accounts of these events, through the index.
    cross join lateral (
      select account_id, id, sources, receives_inbound, pending_count from smpp_accounts
      where account_id = e.account_id and delete_date is null offset 0
    ) a`);
  if (subscribers.length > 0) await createDeliveries(tx, subscribers, position.seq, until);
  await tx.run(sql`update smpp_position set seq = ${until}`);
  return until < position.last;
}

async function createDeliveries(tx: Tx, subscribers: readonly Subscriber[], after: number, until: number) {
  const stored = await tx.rows<StoredEvent & { many: boolean }>(sql`
    select p.account_id, p.seq, e.type, e.payload, e.many
    from event_positions p join events e on e.account_id = p.account_id and e.id = p.event_id
    where p.seq > ${after} and p.seq <= ${until}
      and e.type in (${messageStatusChanged.id}, ${messageCreated.id})
      and p.account_id = any(${[...new Set(subscribers.map(({ account_id }) => account_id))]}::uuid[])
    order by p.seq`);
  const events = stored.flatMap(({ many, ...event }) =>
    many ? (event.payload as unknown as Message[]).map((payload) => ({ ...event, payload })) : [event],
  );
  const submitted = await readSubmitted(tx, events);
  const states = new Map<string, MessageState>();
  const rows = events.flatMap((event) =>
    event.type === messageCreated.id ? inbound(event, subscribers) : receipts(event, submitted, states),
  );
  if (states.size > 0) await storeStates(tx, submitted, states);
  await insertDeliveries(tx, subscribers, rows);
}

async function readSubmitted(tx: Tx, events: readonly StoredEvent[]): Promise<Map<string, SubmittedMessage>> {
  const changes = events.filter(({ type, payload }) => type === messageStatusChanged.id && payload.source === 'smpp');
  if (changes.length === 0) return new Map();
  const rows = await tx.rows<SubmittedMessage>(sql`
    select distinct on (m.account_id, m.id) m.*
    from unnest(${changes.map(({ account_id }) => account_id)}::uuid[],
                ${changes.map(({ payload }) => payload.id)}::uuid[]) as t(account_id, message_id)
    join smpp_messages m on m.account_id = t.account_id and m.message_id = t.message_id`);
  return new Map(rows.map((row) => [row.message_id, row]));
}

/** One receipt for each part that requested one, if the state is final and differs from that of the last receipt. */
function receipts(
  { account_id, seq, payload }: StoredEvent,
  submitted: ReadonlyMap<string, SubmittedMessage>,
  states: Map<string, MessageState>,
): NewDelivery[] {
  const message = submitted.get(payload.id);
  const state = STATES[payload.status];
  if (!message || !isFinal(state) || (states.get(payload.id) ?? message.receipt_state) === state) return [];
  states.set(payload.id, state);
  const { smpp_account_id, message_id, receipts: asked } = message;
  return asked.flatMap((registered, index) => {
    if (!wantsReceipt(registered, state)) return [];
    const id = asked.length === 1 ? message.id : partId(message.id, index + 1);
    const body: DeliveryBody = {
      ...{ kind: 'receipt', id, state, error: errorCode(state, payload.failure, payload.carrier_code) },
      ...{ submit_date: payload.create_date, done_date: payload.update_date, text: payload.text.slice(0, 20) },
      source: { ton: message.dest_ton, npi: message.dest_npi, addr: message.dest_addr },
      destination: { ton: message.source_ton, npi: message.source_npi, addr: message.source_addr },
    };
    return [{ account_id, smpp_account_id, message_id, seq, body }];
  });
}

/** Bits 0 and 1 of registered_delivery: 1 is every outcome, 2 is failures, and 3 is delivery. */
export function wantsReceipt(registered_delivery: number, state: MessageState): boolean {
  const asked = registered_delivery & 0x03;
  if (asked === 0) return false;
  return asked === 1 || (state === 'DELIVERED') === (asked === 3);
}

function inbound({ account_id, seq, payload }: StoredEvent, subscribers: readonly Subscriber[]): NewDelivery[] {
  if (payload.direction !== 'MO' || payload.channel !== PHONE_CHANNEL) return [];
  const body: DeliveryBody = { kind: 'inbound', from: payload.from, to: payload.to, text: payload.text };
  return subscribers
    .filter((one) => one.account_id === account_id && one.receives_inbound && allowsSource(one.sources, payload.to))
    .map(({ id }) => ({ account_id, smpp_account_id: id, message_id: payload.id, seq, body }));
}

async function storeStates(
  tx: Tx,
  submitted: ReadonlyMap<string, SubmittedMessage>,
  states: ReadonlyMap<string, MessageState>,
): Promise<void> {
  const messages = [...states.keys()].map((id) => submitted.get(id)!);
  await tx.run(sql`
    update smpp_messages m set receipt_state = t.state
    from unnest(${messages.map(({ account_id }) => account_id)}::uuid[], ${messages.map(({ id }) => id)}::uuid[],
                ${[...states.values()]}::text[]) as t(account_id, id, state)
    where m.account_id = t.account_id and m.id = t.id`);
}

/** Stores deliveries, except those for which their SMPP account has no room. */
export async function insertDeliveries(
  tx: Tx,
  subscribers: readonly Pick<Subscriber, 'account_id' | 'id' | 'pending_count'>[],
  rows: readonly NewDelivery[],
): Promise<void> {
  const room = new Map(subscribers.map(({ id, pending_count }) => [id, MAX_PENDING - pending_count]));
  const taken = new Map<string, { account_id: string; count: number; dropped: number }>();
  const kept = rows.filter(({ account_id, smpp_account_id }) => {
    const sums = taken.get(smpp_account_id) ?? { account_id, count: 0, dropped: 0 };
    const fits = sums.count < (room.get(smpp_account_id) ?? 0);
    if (fits) sums.count++;
    else sums.dropped++;
    taken.set(smpp_account_id, sums);
    return fits;
  });
  if (taken.size === 0) return;
  const column = <T>(pick: (row: NewDelivery) => T): T[] => kept.map(pick);
  await tx.run(sql`
    insert into smpp_deliveries (account_id, id, smpp_account_id, message_id, seq, kind, body)
    select account_id, id, smpp_account_id, message_id, seq, body->>'kind', body
    from unnest(
      ${column(({ account_id }) => account_id)}::uuid[], ${kept.map(() => newId())}::uuid[],
      ${column(({ smpp_account_id }) => smpp_account_id)}::uuid[], ${column(({ message_id }) => message_id)}::uuid[],
      ${column(({ seq }) => seq)}::bigint[], ${column(({ body }) => JSON.stringify(body))}::jsonb[]
    ) as t(account_id, id, smpp_account_id, message_id, seq, body)`);
  const sums = [...taken].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [id, { account_id, count, dropped }] of sums)
    await tx.run(sql`
      update smpp_accounts set pending_count = pending_count + ${count},
        last_error = case when ${dropped} > 0 then ${FULL} else last_error end,
        last_error_date = case when ${dropped} > 0 then now() else last_error_date end
      where account_id = ${account_id} and id = ${id}`);
}

const FULL = `Receipts and inbound messages were dropped, because ${MAX_PENDING.toLocaleString('en-US')} are waiting`;

export function startFanOut(kernel: Kernel): { stop(): Promise<void> } {
  const loop = new PollLoop(kernel, {
    ...{ name: 'SMPP deliveries', poll_ms: POLL_MS, gather_ms: EVENT_GATHER_MS },
    step: () => fanOut(kernel.db),
  });
  const unsubscribe = onEvents(loop.wake);
  return {
    stop() {
      unsubscribe();
      return loop.stop();
    },
  };
}
