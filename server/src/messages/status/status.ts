/**
 * The only file that changes a message's status, whether for responses, delivery receipts, users, or timers.
 * Changes come in batches and in any order. `fold` decides how each message ends. Its hold is closed exactly once, a
 * released charge is settled again at most once, and the status, its event, and the money are committed together.
 */
import { messageStatusChanged } from '@parley/contract/messages/messages.ts';
import { RANK } from '@parley/contract/messages/statuses.ts';
import { type Closing, closeHolds } from '../../billing/billing.ts';
import { newId } from '../../kernel/clock.ts';
import { runTogether, type Sql, sql, type Tx } from '../../kernel/db/db.ts';
import { writeAndEmit } from '../../kernel/live/events.ts';
import { metrics } from '../../kernel/metrics.ts';
import type { Applied, Change } from '../model/change.ts';
import { readPlans } from '../model/fallback_rows.ts';
import { messageJson } from '../model/message_columns.ts';
import { type Folded, fold, type MessageState } from '../model/status_fold.ts';
import { countOrigins, type Origin } from '../routing/number_pool.ts';
import { getRouteBook } from '../routing/route_book.ts';
import { listCampaignsWithoutFallbacks } from './campaign_fallbacks.ts';
import { advancePlan } from './fallback_advance.ts';

const stateTotal = metrics.counter('msg_state_total', 'Messages by the status they reached', ['state']);

/** A locked message with the fields needed to decide the effect of a change. */
export interface LockedMessage extends MessageState {
  readonly account_id: string;
  readonly id: string;
  readonly hold_id: string | null;
  readonly price_micros: number;
  readonly campaign_id: string | null;
  readonly currency: string;
  readonly number: string;
  readonly country: string;
  readonly mccmnc: string | null;
  readonly segments_count: number;
  /** The volume that counts the message. */
  readonly volume_id: string | null;
  /** The number of units before the message in its volume. */
  readonly volume_start: number | null;
  /** The number of submissions so far, while the message is queued. */
  readonly submit_attempts: number | null;
}

interface FoldedMessage {
  readonly row: LockedMessage;
  readonly folded: Folded;
  /** Set for a message with fallbacks. Its plan manages the queue and determines which part of the hold is charged. */
  readonly plan?: { readonly paid_micros: number | null };
}

/**
 * Unknown messages are missing from the result. The messages are locked here before the balances. `locked` contains
 * messages that the caller has locked with `lockColumns` in this transaction and has not changed since.
 */
export async function applyStatuses(
  tx: Tx,
  changes: readonly Change[],
  locked: readonly LockedMessage[] = [],
): Promise<Applied[]> {
  const byMessage = new Map<string, Change[]>();
  for (const change of changes) {
    const key = messageKey(change.account_id, change.message_id);
    const list = byMessage.get(key);
    if (list) list.push(change);
    else byMessage.set(key, [change]);
  }
  if (byMessage.size === 0) return [];
  const lockedByKey = new Map(locked.map((row) => [messageKey(row.account_id, row.id), row]));
  const rows: LockedMessage[] = [];
  const unlocked: Change[] = [];
  for (const [key, [first]] of byMessage) {
    const row = lockedByKey.get(key);
    if (row) rows.push(row);
    else unlocked.push(first!);
  }
  if (unlocked.length > 0) rows.push(...(await lockMessages(tx, unlocked)));
  const plans = await foldPlans(tx, rows, byMessage);
  const results = rows.map((row): FoldedMessage => {
    const key = messageKey(row.account_id, row.id);
    return plans.get(key) ?? { row, folded: fold(row, byMessage.get(key)!, tx.now) };
  });
  const changed = results.filter(({ folded }) => folded.changed);
  const closings = await withTraffic(tx, changed);
  await runTogether(
    leaveQueue(tx, changed.filter(leavesQueue)),
    writeMessages(
      tx,
      results.filter(({ folded }) => folded.changed || folded.entries.length > 0),
    ),
    closeHolds(tx, closings),
  );
  touchCampaigns(tx, changed);
  tx.afterCommit(() => {
    for (const { folded } of changed) stateTotal.inc({ state: folded.status });
  });
  return results.map(({ row, folded }) => ({
    account_id: row.account_id,
    message_id: row.id,
    campaign_id: row.campaign_id,
    was: row.status,
    status: folded.status,
    changed: folded.changed,
  }));
}

/** Reads the plans of messages that may have fallbacks. Most campaigns have none, and their messages are skipped. */
async function foldPlans(
  tx: Tx,
  rows: readonly LockedMessage[],
  changes: ReadonlyMap<string, readonly Change[]>,
): Promise<Map<string, FoldedMessage>> {
  const results = new Map<string, FoldedMessage>();
  const planless = await listCampaignsWithoutFallbacks(tx, rows);
  const singles = rows.filter(({ campaign_id }) => campaign_id === null || !planless.has(campaign_id));
  if (singles.length === 0) return results;
  const plans = await readPlans(
    tx,
    singles.map(({ account_id, id: message_id }) => ({ account_id, message_id })),
  );
  const origins: Origin[] = [];
  for (const fallback of plans) {
    const key = messageKey(fallback.account_id, fallback.message_id);
    const row = singles.find(({ account_id, id }) => messageKey(account_id, id) === key)!;
    const { folded, paid_micros, origin } = await advancePlan(tx, fallback, row, changes.get(key)!);
    results.set(key, { row, folded, plan: { paid_micros } });
    if (origin) origins.push(origin);
  }
  await countOrigins(tx, origins);
  return results;
}

const messageKey = (account_id: string, id: string) => `${account_id} ${id}`;

/** True if a carrier has accepted the message or the message has ended. */
const leavesQueue = ({ row, folded, plan }: FoldedMessage): boolean =>
  !plan && RANK[row.status] < RANK.sent && RANK[folded.status] >= RANK.sent;

/** Columns of `messages m`. The statement must lock the rows with `for update of m`, ordered by account and id. */
export const lockColumns: Sql = sql`
  m.account_id, m.id, m.channel, m.status, m.charge, m.hold_id, m.price_micros, m.campaign_id, m.failure,
  m.carrier_code, m.status_details, m.connection_id, m.possible_duplicate, m.currency, m.number, m.country, m.mccmnc,
  m.segments_count, m.volume_id, m.volume_start,
  jsonb_array_length(m.timeline) as timeline_length,
  case when m.status in ('scheduled', 'enroute') then (
    select d.attempt from dispatch d where d.account_id = m.account_id and d.message_id = m.id
  ) end as submit_attempts`;

/** Locking in the order of the ids prevents deadlocks between batches with the same messages. */
const lockMessages = (tx: Tx, changes: readonly Change[]) =>
  tx.rows<LockedMessage>(sql`
    select ${lockColumns}
    from unnest(${changes.map((change) => change.account_id)}::uuid[],
      ${changes.map((change) => change.message_id)}::uuid[])
      as t(account_id, id)
    join messages m on m.account_id = t.account_id and m.id = t.id
    order by t.account_id, t.id
    for update of m`);

/**
 * The comparison with `was` repeats in SQL what the lock guarantees: a new status only replaces the status it was
 * derived from. The events are built from the written rows, because reading the rows again would cost as much as
 * writing them.
 */
async function writeMessages(tx: Tx, messages: readonly FoldedMessage[]): Promise<void> {
  if (messages.length === 0) return;
  const column = <T>(pick: (message: FoldedMessage) => T): T[] => messages.map(pick);
  const write = sql`
    update messages m set
      status = t.status, charge = t.charge, failure = t.failure, carrier_code = t.carrier_code,
      status_details = t.status_details, connection_id = t.connection_id, attempts = m.attempts + t.attempts,
      possible_duplicate = t.possible_duplicate, timeline = m.timeline || t.entries,
      update_date = case when t.changed then ${tx.now}::timestamptz else m.update_date end
    from unnest(
      ${column(({ row }) => row.account_id)}::uuid[], ${column(({ row }) => row.id)}::uuid[],
      ${column(({ row }) => row.status)}::text[], ${column(({ folded }) => folded.status)}::text[],
      ${column(({ folded }) => folded.charge)}::text[], ${column(({ folded }) => folded.failure)}::text[],
      ${column(({ folded }) => folded.carrier_code)}::text[], ${column(({ folded }) => folded.status_details)}::text[],
      ${column(({ folded }) => folded.connection_id)}::uuid[],
      ${column(({ folded }) => folded.possible_duplicate)}::boolean[],
      ${column(({ folded }) => folded.changed)}::boolean[],
      ${column(({ folded }) => JSON.stringify(folded.entries))}::jsonb[],
      ${column((message) => (leavesQueue(message) ? (message.row.submit_attempts ?? 0) : 0))}::smallint[],
      ${column(() => newId())}::uuid[]
    ) as t(account_id, id, was, status, charge, failure, carrier_code, status_details, connection_id,
           possible_duplicate, changed, entries, attempts, event_id)
    where m.account_id = t.account_id and m.id = t.id and m.status = t.was
    returning m.*, t.changed, t.event_id`;
  const count = await writeAndEmit(tx, messageStatusChanged, write, eventPayloads);
  if (count !== messages.length) throw new Error('a message changed under its lock');
}

async function leaveQueue(tx: Tx, messages: readonly FoldedMessage[]): Promise<void> {
  if (messages.length === 0) return;
  await tx.run(sql`
    delete from dispatch d
    using unnest(${messages.map(({ row }) => row.account_id)}::uuid[], ${messages.map(({ row }) => row.id)}::uuid[])
      as t(account_id, id)
    where d.account_id = t.account_id and d.message_id = t.id`);
}

const eventPayloads: Sql = sql`
  select m.account_id, m.event_id as id, ${messageJson} as payload,
         m.campaign_id is null as live
  from written m where m.changed`;

/** The closings of messages. A settled closing includes its connection and the carrier's price. */
async function withTraffic(tx: Tx, messages: readonly FoldedMessage[]): Promise<Closing[]> {
  const closed = messages.map((message) => ({ message, closings: toClosings(message) }));
  if (!closed.some(({ closings }) => closings.some(isSettled))) return closed.flatMap(({ closings }) => closings);
  const { cost } = await getRouteBook({ db: tx.db }, tx);
  return closed.flatMap(({ message: { row, folded }, closings }) => {
    const { channel, country, currency, number, mccmnc, segments_count: segments } = row;
    const { connection_id } = folded;
    const unit = connection_id === null ? null : cost(connection_id, channel, number, country, mccmnc);
    const cost_micros = unit?.currency === currency ? unit.micros * segments : null;
    const traffic = { channel, country, currency, connection_id, segments, cost_micros };
    return closings.map((closing) => (isSettled(closing) ? { ...closing, traffic } : closing));
  });
}

const isSettled = ({ outcome }: Closing): boolean => outcome !== 'released';

function toClosings({ row, folded, plan }: FoldedMessage): Closing[] {
  if (row.charge === folded.charge || row.hold_id === null) return [];
  if (folded.charge !== 'settled' && folded.charge !== 'released') return [];
  const { account_id, hold_id, price_micros, campaign_id, volume_id, volume_start, segments_count } = row;
  const count = (units: number) =>
    volume_id === null ? {} : { volume: { account_id, id: volume_id, units, start: volume_start! } };
  const whole = {
    account_id,
    hold_id,
    outcome: folded.charge,
    amount_micros: price_micros,
    message_count: 1,
    campaign_id,
    message_id: row.id,
  };
  const paid_micros = plan?.paid_micros ?? price_micros;
  if (row.charge === 'released')
    return [{ ...whole, outcome: 'resettled', amount_micros: paid_micros, ...count(segments_count) }];
  if (folded.charge === 'released') return [{ ...whole, ...count(-segments_count) }];
  if (paid_micros === price_micros) return [whole];
  // Releases the part of the hold that was reserved for the other steps.
  const rest = { ...whole, outcome: 'released' as const, amount_micros: price_micros - paid_micros, message_count: 0 };
  return [{ ...whole, amount_micros: paid_micros }, rest];
}

type CampaignListener = (account_id: string, campaign_id: string) => void;
const listeners = new Set<CampaignListener>();

/**
 * Calls the listener after the commit, once for each campaign with changed messages. The call is a hint to count again
 * and is not guaranteed.
 */
export function onCampaignTouched(touched: CampaignListener): () => void {
  listeners.add(touched);
  return () => listeners.delete(touched);
}

function touchCampaigns(tx: Tx, messages: readonly FoldedMessage[]): void {
  const campaigns = new Map(
    messages.flatMap(({ row }) => (row.campaign_id ? [[row.campaign_id, row.account_id] as const] : [])),
  );
  if (campaigns.size === 0) return;
  tx.afterCommit(() => {
    for (const [campaign_id, account_id] of campaigns)
      for (const touched of listeners) touched(account_id, campaign_id);
  });
}
