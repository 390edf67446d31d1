/**
 * The only place where the status of a message changes, whoever reports it: answers of carriers, their receipts, people, the clock. Changes come in
 * batches and in any order; each message ends as `fold` says, its charge is closed exactly once, and the fact, its event and the money
 * commit together.
 */
import { messageStatusChanged, RANK } from '@parley/contract/messages/messages.ts';
import { type Closing, closeHolds } from '../billing/billing.ts';
import { newId } from '../kernel/clock.ts';
import { type Sql, sql, type Tx, together } from '../kernel/db/db.ts';
import { writeAndEmit } from '../kernel/live/events.ts';
import { metrics } from '../kernel/metrics.ts';
import type { Applied, Change } from './change.ts';
import { conversationOf, messageColumns } from './columns.ts';
import { type Folded, fold, type Standing } from './fold.ts';
import { ordersOf } from './leg_rows.ts';
import { turnOrder } from './leg_turns.ts';
import { countOrigins, type Origin } from './pool.ts';

const stateTotal = metrics.counter('msg_state_total', 'Messages that came to a status', ['state']);

/** A message under its lock: what a change is judged by. */
export interface Locked extends Standing {
  readonly account_id: string;
  readonly id: string;
  readonly hold_id: string | null;
  readonly price_micros: number;
  readonly campaign_id: string | null;
  /** Submissions so far, while it stands in the queue. */
  readonly submitted: number | null;
}

interface Turn {
  readonly row: Locked;
  readonly folded: Folded;
  /** Of a message with fallbacks: its place in the queue is theirs, and so much of what was held is paid. */
  readonly order?: { readonly paid_micros: number | null };
}

/**
 * Unknown messages are left out of the answer. The locks taken here come before those of the balances. `locked`: messages the caller has locked in
 * this transaction (`lockColumns`), nothing written to them since.
 */
export async function applyStatuses(
  tx: Tx,
  changes: readonly Change[],
  locked: readonly Locked[] = [],
): Promise<Applied[]> {
  const byMessage = new Map<string, Change[]>();
  for (const change of changes) {
    const key = keyOf(change.account_id, change.message_id);
    const list = byMessage.get(key);
    if (list) list.push(change);
    else byMessage.set(key, [change]);
  }
  if (byMessage.size === 0) return [];
  const known = new Map(locked.map((row) => [keyOf(row.account_id, row.id), row]));
  const rows: Locked[] = [];
  const others: Change[] = [];
  for (const [key, [first]] of byMessage) {
    const row = known.get(key);
    if (row) rows.push(row);
    else others.push(first!);
  }
  if (others.length > 0) rows.push(...(await lockMessages(tx, others)));
  const ordered = await turnOrders(tx, rows, byMessage);
  const turns = rows.map((row): Turn => {
    const key = keyOf(row.account_id, row.id);
    return ordered.get(key) ?? { row, folded: fold(row, byMessage.get(key)!, tx.now) };
  });
  const changed = turns.filter(({ folded }) => folded.changed);
  await together(
    leaveQueue(tx, changed.filter(leaves)),
    writeMessages(
      tx,
      turns.filter(({ folded }) => folded.changed || folded.entries.length > 0),
    ),
    closeHolds(tx, changed.flatMap(closing)),
  );
  touchCampaigns(tx, changed);
  tx.afterCommit(() => {
    for (const { folded } of changed) stateTotal.inc({ state: folded.status });
  });
  return turns.map(({ row, folded }) => ({
    account_id: row.account_id,
    message_id: row.id,
    campaign_id: row.campaign_id,
    was: row.status,
    status: folded.status,
    changed: folded.changed,
  }));
}

/** A message of a campaign has no fallbacks: for those nothing is asked. */
async function turnOrders(
  tx: Tx,
  rows: readonly Locked[],
  changes: ReadonlyMap<string, readonly Change[]>,
): Promise<Map<string, Turn>> {
  const turns = new Map<string, Turn>();
  const singles = rows.filter(({ campaign_id }) => campaign_id === null);
  if (singles.length === 0) return turns;
  const orders = await ordersOf(
    tx,
    singles.map(({ account_id, id: message_id }) => ({ account_id, message_id })),
  );
  const origins: Origin[] = [];
  for (const order of orders) {
    const key = keyOf(order.account_id, order.message_id);
    const row = singles.find(({ account_id, id }) => keyOf(account_id, id) === key)!;
    const { folded, paid_micros, origin } = await turnOrder(tx, order, row, changes.get(key)!);
    turns.set(key, { row, folded, order: { paid_micros } });
    if (origin) origins.push(origin);
  }
  await countOrigins(tx, origins);
  return turns;
}

const keyOf = (account_id: string, id: string) => `${account_id} ${id}`;

/** What was taken by a carrier, or has ended, needs no sending any more. */
const leaves = ({ row, folded, order }: Turn): boolean =>
  !order && RANK[row.status] < RANK.sent && RANK[folded.status] >= RANK.sent;

/** Of `messages m`, in a statement that locks them `for update of m`, in the order of account and id. */
export const lockColumns: Sql = sql`
  m.account_id, m.id, m.channel, m.status, m.charge, m.hold_id, m.price_micros, m.campaign_id, m.failure, m.carrier_code, m.status_details,
  m.connection_id, m.possible_duplicate, jsonb_array_length(m.timeline) as told,
  case when m.status in ('scheduled', 'enroute') then (
    select d.attempt from dispatch d where d.account_id = m.account_id and d.message_id = m.id
  ) end as submitted`;

// Always in the order of their ids, so that two batches over the same messages cannot wait for each other.
const lockMessages = (tx: Tx, changes: readonly Change[]) =>
  tx.rows<Locked>(sql`
    select ${lockColumns}
    from unnest(${changes.map((change) => change.account_id)}::uuid[], ${changes.map((change) => change.message_id)}::uuid[])
      as t(account_id, id)
    join messages m on m.account_id = t.account_id and m.id = t.id
    order by t.account_id, t.id
    for update of m`);

// `was` repeats, in SQL, what the lock promises: a status is only ever written over the one it was judged by. The events are made of the rows as
// they were written: looking them up again would cost as much as writing them.
async function writeMessages(tx: Tx, turns: readonly Turn[]): Promise<void> {
  if (turns.length === 0) return;
  const of = <T>(pick: (turn: Turn) => T): T[] => turns.map(pick);
  const write = sql`
    update messages m set
      status = t.status, charge = t.charge, failure = t.failure, carrier_code = t.carrier_code, status_details = t.status_details,
      connection_id = t.connection_id, attempts = m.attempts + t.attempts, possible_duplicate = t.possible_duplicate, timeline = m.timeline || t.entries,
      update_date = case when t.changed then ${tx.now}::timestamptz else m.update_date end
    from unnest(
      ${of(({ row }) => row.account_id)}::uuid[], ${of(({ row }) => row.id)}::uuid[], ${of(({ row }) => row.status)}::text[],
      ${of(({ folded }) => folded.status)}::text[], ${of(({ folded }) => folded.charge)}::text[],
      ${of(({ folded }) => folded.failure)}::text[], ${of(({ folded }) => folded.carrier_code)}::text[],
      ${of(({ folded }) => folded.status_details)}::text[], ${of(({ folded }) => folded.connection_id)}::uuid[],
      ${of(({ folded }) => folded.possible_duplicate)}::boolean[], ${of(({ folded }) => folded.changed)}::boolean[],
      ${of(({ folded }) => JSON.stringify(folded.entries))}::jsonb[], ${of((turn) => (leaves(turn) ? (turn.row.submitted ?? 0) : 0))}::smallint[],
      ${of(() => newId())}::uuid[]
    ) as t(account_id, id, was, status, charge, failure, carrier_code, status_details, connection_id, possible_duplicate, changed, entries,
           attempts, event_id)
    where m.account_id = t.account_id and m.id = t.id and m.status = t.was
    returning m.*, t.changed, t.event_id`;
  const written = await writeAndEmit(tx, messageStatusChanged, write, payloads);
  if (written !== turns.length) throw new Error('a message changed under its lock');
}

async function leaveQueue(tx: Tx, turns: readonly Turn[]): Promise<void> {
  if (turns.length === 0) return;
  await tx.run(sql`
    delete from dispatch d
    using unnest(${turns.map(({ row }) => row.account_id)}::uuid[], ${turns.map(({ row }) => row.id)}::uuid[]) as t(account_id, id)
    where d.account_id = t.account_id and d.message_id = t.id`);
}

const payloads: Sql = sql`
  select m.account_id, m.event_id as id, (select row_to_json(told) from (select ${messageColumns}, ${conversationOf}) told) as payload,
         m.campaign_id is null as live
  from written m where m.changed`;

function closing({ row, folded, order }: Turn): Closing[] {
  if (row.charge !== 'held' || row.hold_id === null) return [];
  if (folded.charge !== 'settled' && folded.charge !== 'released') return [];
  const { account_id, hold_id, price_micros, campaign_id } = row;
  const whole = {
    account_id,
    hold_id,
    outcome: folded.charge,
    amount_micros: price_micros,
    message_count: 1,
    campaign_id,
  };
  const paid_micros = order?.paid_micros ?? price_micros;
  if (folded.charge === 'released' || paid_micros === price_micros) return [whole];
  // What another of its ways would have cost is given back.
  const rest = { ...whole, outcome: 'released' as const, amount_micros: price_micros - paid_micros, message_count: 0 };
  return [{ ...whole, amount_micros: paid_micros }, rest];
}

type Touched = (account_id: string, campaign_id: string) => void;
const listeners = new Set<Touched>();

/** Told after the commit, once for each campaign whose messages changed: a hint to count again, not a promise. */
export function onCampaignTouched(touched: Touched): () => void {
  listeners.add(touched);
  return () => listeners.delete(touched);
}

function touchCampaigns(tx: Tx, turns: readonly Turn[]): void {
  const campaigns = new Map(
    turns.flatMap(({ row }) => (row.campaign_id ? [[row.campaign_id, row.account_id] as const] : [])),
  );
  if (campaigns.size === 0) return;
  tx.afterCommit(() => {
    for (const [campaign_id, account_id] of campaigns)
      for (const touched of listeners) touched(account_id, campaign_id);
  });
}
