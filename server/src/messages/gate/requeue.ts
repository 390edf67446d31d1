/**
 * Queues failed, uncharged messages again under a new hold, to retry a campaign. The row stays the same, so the
 * recipient can never get the message twice, and its timeline shows both attempts.
 */
import type { Content } from '@parley/contract/messages/content.ts';
import type { Failure } from '@parley/contract/messages/messages.ts';
import { moveVolumes, openHold } from '../../billing/billing.ts';
import {
  blocksCountry,
  byWeight,
  contentTexts,
  loadGuard,
  type RuleMatch,
  reserve,
  stopFinder,
} from '../../guard/guard.ts';
import type { Db, Sql, Tx } from '../../kernel/db/db.ts';
import { sql } from '../../kernel/db/db.ts';
import { wakeDispatch } from '../model/dispatch_wake.ts';
import { timelineTime } from '../model/status_fold.ts';
import { PRIORITY } from '../model/traffic_class.ts';
import { getRouteBook } from '../routing/route_book.ts';
import { loadMatchers, storeReviews } from './content.ts';
import type { SendSlot } from './queue.ts';

/**
 * True for failures after which a second attempt can succeed. If a carrier or a person refused the message, the failure
 * is final.
 */
const RETRYABLE_FAILURES: Record<Failure, boolean> = {
  connection: true,
  throttled: true,
  config: true,
  unknown: true,
  expired: true,
  rejected: false,
  invalid: false,
  opted_out: false,
};

/**
 * A condition on `messages m`. A settled message cannot be charged again, so it is never retried. An erased message has
 * no text. A message with fallbacks is not retried either, because they are its retries.
 */
export const RETRYABLE: Sql = sql`(
  m.direction = 'MT' and m.marks->'deleted' is null and m.charge = 'released'
  and m.status in ('failed', 'rejected', 'expired')
  and m.failure = any(${Object.entries(RETRYABLE_FAILURES)
    .filter(([, isRetryable]) => isRetryable)
    .map(([failure]) => failure)}::text[])
  and not exists (select from fallbacks f where f.account_id = m.account_id and f.message_id = m.id))`;

interface RequeueRequest {
  readonly account_id: string;
  readonly campaign_id: string;
  /** At most 1,000 messages. */
  readonly message_ids: readonly string[];
  readonly validity_seconds: number;
  /** Decides when the messages may be sent; absent: now. Called once with all messages that are queued. */
  readonly slots?: (messages: readonly { number: string; country: string }[]) => Promise<SendSlot[]>;
}

interface Candidate {
  text: string;
  content: Content | null;
  mccmnc: string | null;
  id: string;
  number: string;
  country: string;
  channel: string;
  /** True if an operator has released the message before. */
  is_released: boolean | null;
  sender_id: string;
  price_micros: number;
  /** The number of submissions so far. Never restarts, so that a late response cannot match a later submission. */
  attempts: number;
  /** The sender's connection, for channels without routes. */
  sender_connection: string | null;
  segments_count: number;
  /** The message's volume and its position, if its destination has volume prices. */
  volume_id: string | null;
  volume_start: number | null;
}

/**
 * Returns the number of queued messages. Messages that can no longer be retried, that no connection carries, or
 * that a limit, a stop, or a blocked country refuses, stay unchanged. Throws BALANCE_NOT_ENOUGH.
 */
export async function requeueFailed(tx: Tx, kernel: { db: Db }, request: RequeueRequest): Promise<number> {
  const { account_id, campaign_id } = request;
  const candidates = await tx.rows<Candidate>(sql`
    select m.text, m.content, m.marks->>'review' = 'released' as is_released, m.id, m.number,
           m.country, m.mccmnc, m.channel, m.sender_id, m.price_micros, m.attempts, m.segments_count,
           m.volume_id, m.volume_start, s.connection_id as sender_connection
    from messages m join senders s on s.account_id = m.account_id and s.id = m.sender_id
    where m.account_id = ${account_id} and m.campaign_id = ${campaign_id} and m.id = any(${request.message_ids}::uuid[])
      and ${RETRYABLE}
    order by m.account_id, m.id for update of m`);
  const routes = await getRouteBook(kernel, tx);
  const guard = await loadGuard(tx, account_id);
  const findStop = stopFinder(guard.stops, 'campaign');
  const routed = candidates.flatMap((candidate) => {
    const { channel, number, country, mccmnc, sender_connection } = candidate;
    const connection_id = sender_connection ?? routes.route(channel, number, country, mccmnc)?.connection_id;
    const isAllowed = connection_id && !blocksCountry(guard, country) && !findStop?.(candidate);
    return isAllowed ? [{ ...candidate, connection_id }] : [];
  });
  const screened = await screenTexts(tx, kernel, account_id, routed);
  // A second attempt counts like a new message.
  const ways = screened.map(({ channel, sender_id }) => [{ channel, sender_id }]);
  const [grant] = await reserve(tx, account_id, guard, [
    { origin: { campaign_id }, people: screened, ways: (n) => ways[n]!, takes: 'first' },
  ]);
  const requeued = grant!.granted.map((n) => screened[n]!);
  if (requeued.length === 0) return 0;
  const amount_micros = requeued.reduce((sum, message) => sum + message.price_micros, 0);
  // The messages count again, at the prices of their first attempt. Volumes are locked before balances.
  await moveVolumes(
    tx,
    requeued.flatMap(({ volume_id, volume_start, segments_count: units }) =>
      volume_id === null ? [] : [{ account_id, id: volume_id, units, start: volume_start! }],
    ),
  );
  const message_id = requeued.length === 1 ? requeued[0]!.id : null;
  const hold = { account_id, campaign_id, message_id, amount_micros, message_count: requeued.length, note: 'Retried' };
  const hold_id = await openHold(tx, hold);
  const slots = (await request.slots?.(requeued)) ?? requeued.map(() => ({ not_before: tx.now, windows: null }));
  const expires = slots.map(
    ({ not_before }) => new Date(Math.max(not_before.getTime(), tx.now.getTime()) + request.validity_seconds * 1_000),
  );
  const entry = [{ at: timelineTime(tx.now), status: 'enroute', source: 'person', text: 'Retried' }];
  await tx.run(sql`
    with message as (
      update messages m set
        status = 'enroute', charge = 'held', hold_id = ${hold_id}, expire_date = t.expire_date,
        connection_id = t.connection_id, possible_duplicate = m.possible_duplicate or m.failure = 'unknown' or exists (
          select from campaigns c where c.account_id = m.account_id and c.id = m.campaign_id and c.possible_duplicate),
        failure = null, carrier_code = null, status_details = null, attempts = 0,
        timeline = m.timeline || ${JSON.stringify(entry)}::jsonb, update_date = ${tx.now}
      from unnest(${requeued.map(({ id }) => id)}::uuid[], ${requeued.map((message) => message.connection_id)}::uuid[],
                  ${requeued.map(({ attempts }) => attempts)}::int[],
                  ${slots.map(({ not_before }) => not_before)}::timestamptz[], ${expires}::timestamptz[],
                  ${slots.map(({ windows }) => windows)}::text[])
        as t(id, connection_id, attempts, not_before, expire_date, windows)
      where m.account_id = ${account_id} and m.id = t.id
      returning m.account_id, m.id, m.connection_id, m.channel, m.number, t.attempts, t.not_before, t.expire_date,
        t.windows, coalesce((
        select s.carrier_address from senders s where s.account_id = m.account_id and s.id = m.sender_id),
          m."from") as sender_address
    )
    insert into dispatch (account_id, message_id, connection_id, channel, priority, not_before, expire_date, number,
      sender_address, attempt, windows)
    select account_id, id, connection_id, channel, ${PRIORITY.campaign}, not_before, expire_date, number,
      sender_address, attempts, windows::tstzmultirange from message`);
  await storeReviews(tx, { account_id, campaign_id, ids: requeued.map(({ id }) => id), people: requeued });
  wakeDispatch(tx);
  return requeued.length;
}

/** Applies the content rules, which may be newer than the messages. Released messages are not reviewed again. */
async function screenTexts<T extends Candidate>(
  tx: Tx,
  kernel: { db: Db },
  account_id: string,
  candidates: readonly T[],
): Promise<(T & { review?: RuleMatch })[]> {
  const channels = candidates.map(({ channel }) => channel);
  const matchers = await loadMatchers(tx, kernel, account_id, channels);
  if (matchers.size === 0) return [...candidates];
  return candidates.flatMap((candidate) => {
    const { text, content, country, channel, is_released } = candidate;
    const found = is_released
      ? []
      : (matchers.get(channel)?.find({ text, others: contentTexts(content) }, country) ?? []);
    const [review] = found.filter(({ rule }) => rule.kind !== 'new_sender').sort(byWeight);
    if (review === undefined) return [candidate];
    return review.rule.action === 'refuse' ? [] : [{ ...candidate, review }];
  });
}
