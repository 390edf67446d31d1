/**
 * Stores the results of attempts. Failed deliveries are retried for three days, with a randomized backoff. An endpoint
 * that keeps failing is tried less often (its circuit is open), and is disabled after days without a success.
 */
import { type WebhookAttempt, webhooksChanged } from '@parley/contract/webhooks/webhooks.ts';
import { type Db, sql } from '../kernel/db/db.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { emit } from '../kernel/live/events.ts';
import type { Claimed } from './claim.ts';
import { notifyDisabled } from './mails.ts';

const MINUTE = 60;
const HOUR = 3_600;
/** The pauses after each failed attempt, in seconds. Together they last about three days. */
const PAUSES = [5, 30, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR].concat(
  Array(5).fill(12 * HOUR),
);
const JITTER = 0.2;
/** The number of failures in a row that opens the circuit, and the longest time that it stays open, in seconds. */
const BREAKER = { failures: 10, first: 10, longest: 5 * MINUTE } as const;
const DISABLE_AFTER_DAYS = 5;
const KEPT_ATTEMPTS = 30;

export interface Result extends Claimed {
  ok: boolean;
  attempt: WebhookAttempt;
}

/** The facts about the group in which a result was stored. */
export interface Stored {
  /** True if deliveries waited for one of them, to be sent in order. */
  has_followers: boolean;
}

/** Returns a function that stores results. Those that arrive while others are being stored form the next group. */
export function createResultBatcher(kernel: Kernel): (result: Result) => Promise<Stored> {
  let waiting: { result: Result; done: (stored: Stored) => void; failed: (error: unknown) => void }[] = [];
  let isStoring = false;
  const storeGroups = async () => {
    isStoring = true;
    while (waiting.length > 0) {
      const group = waiting;
      waiting = [];
      await storeResults(
        kernel,
        group.map(({ result }) => result),
      ).then(
        (stored) => {
          for (const { done } of group) done(stored);
        },
        (error) => {
          for (const { failed } of group) failed(error);
        },
      );
    }
    isStoring = false;
  };
  return (result) =>
    new Promise((done, failed) => {
      waiting.push({ result, done, failed });
      if (!isStoring) void storeGroups();
    });
}

/**
 * Stores the deliveries before their webhooks, each with one statement of its own, so that no lock of a webhook is
 * held. After a crash between the two, the followers wait until the end of the lease, which is the next date of the
 * webhook at the latest.
 */
async function storeResults(kernel: Kernel, results: readonly Result[]): Promise<Stored> {
  const followed = await updateDeliveries(kernel.db, results);
  const outcomes = groupByWebhook(results, followed);
  await updateWebhooks(kernel.db, outcomes);
  await disableDead(kernel, outcomes);
  return { has_followers: followed.size > 0 };
}

function pauseSeconds({ ok, tries }: Result): number | null {
  const pause = ok ? undefined : PAUSES[tries];
  return pause === undefined ? null : pause * (1 - JITTER + 2 * JITTER * Math.random());
}

/** Returns the IDs of the webhooks with deliveries that waited for one of these. */
async function updateDeliveries(db: Db, results: readonly Result[]): Promise<ReadonlySet<string>> {
  const column = <T>(pick: (result: Result) => T): T[] => results.map(pick);
  const pauses = results.map(pauseSeconds);
  const statuses = results.map(({ ok }, index) => (ok ? 'delivered' : pauses[index] === null ? 'failed' : 'pending'));
  const followers = await db.rows<{ webhook_id: string }>(sql`
    with r as (
      select * from unnest(
        ${column(({ account_id }) => account_id)}::uuid[], ${column(({ id }) => id)}::uuid[],
        ${statuses}::text[], ${pauses.map((pause) => pause ?? 0)}::float8[],
        ${column(({ attempt }) => JSON.stringify(attempt))}::jsonb[],
        ${column(({ attempt }) => attempt.response_status)}::int[], ${column(({ attempt }) => attempt.error)}::text[]
      ) as t(account_id, id, status, pause, attempt, response_status, error)
    ), stored as (
      update webhook_deliveries d set status = r.status, tries = d.tries + 1, attempts_count = d.attempts_count + 1,
        attempts = case when jsonb_array_length(d.attempts) >= ${KEPT_ATTEMPTS} then d.attempts - 0 else d.attempts end
          || r.attempt,
        response_status = r.response_status, error = r.error, update_date = now(),
        due_date = now() + make_interval(secs => r.pause)
      from r where d.account_id = r.account_id and d.id = r.id and d.status = 'pending'
      returning d.account_id, d.webhook_id, d.id, d.order_key, d.due_date
    ), followers as (
      update webhook_deliveries f set due_date = s.due_date
      from stored s
      where f.account_id = s.account_id and f.webhook_id = s.webhook_id and f.order_key = s.order_key
        and f.status = 'pending' and f.id <> s.id and f.id <> all(array(select id from r))
      returning f.webhook_id
    )
    select distinct webhook_id from followers`);
  return new Set(followers.map(({ webhook_id }) => webhook_id));
}

/** The results of one webhook in a group. */
interface Outcome {
  account_id: string;
  webhook_id: string;
  ok: boolean;
  failures: number;
  has_followers: boolean;
}

function groupByWebhook(results: readonly Result[], followed: ReadonlySet<string>): Outcome[] {
  const outcomes = new Map<string, Outcome>();
  for (const { account_id, webhook_id, ok } of results) {
    const { failures, ...before } = outcomes.get(webhook_id) ?? { ok: false, failures: 0 };
    outcomes.set(webhook_id, {
      ...{ account_id, webhook_id, ok: before.ok || ok, failures: failures + (ok ? 0 : 1) },
      has_followers: followed.has(webhook_id),
    });
  }
  return [...outcomes.values()];
}

/** Most groups change no webhook. The rows are locked in one order, so that two workers cannot deadlock. */
const updateWebhooks = (db: Db, outcomes: readonly Outcome[]) =>
  db.run(sql`
    with r as (
      select * from unnest(
        ${outcomes.map(({ account_id }) => account_id)}::uuid[],
        ${outcomes.map(({ webhook_id }) => webhook_id)}::uuid[],
        ${outcomes.map(({ ok }) => ok)}::boolean[], ${outcomes.map(({ failures }) => failures)}::int[],
        ${outcomes.map(({ has_followers }) => has_followers)}::boolean[]
      ) as t(account_id, id, ok, failures, has_followers)
    ), changed as materialized (
      select w.account_id, w.id, r.ok, case when r.ok then 0 else w.failures + r.failures end as failures
      from webhooks w join r on r.account_id = w.account_id and r.id = w.id
      where not r.ok or r.has_followers or w.failures > 0 or w.open_until is not null
      order by w.id for no key update of w
    ), breaker as (
      select *, case when failures >= ${BREAKER.failures} then now() + make_interval(secs =>
        least(${BREAKER.longest}, ${BREAKER.first} * power(2, least(failures - ${BREAKER.failures}, 10)))) end
        as open_until
      from changed
    )
    update webhooks w set failures = b.failures, open_until = b.open_until,
      failing_since = case when not b.ok then coalesce(w.failing_since, now()) end,
      next_date = greatest(now(), b.open_until)
    from breaker b where w.account_id = b.account_id and w.id = b.id`);

/** Disables webhooks without a success for days. Their pending deliveries count as failed and can be recovered. */
async function disableDead(kernel: Kernel, outcomes: readonly Outcome[]): Promise<void> {
  const failed = outcomes.filter(({ ok }) => !ok);
  if (failed.length === 0) return;
  const dead = await kernel.db.rows<{ account_id: string; id: string }>(sql`
    select account_id, id from webhooks
    where ${isDead} and (account_id, id) in (
      select * from unnest(${failed.map(({ account_id }) => account_id)}::uuid[],
        ${failed.map(({ webhook_id }) => webhook_id)}::uuid[]))`);
  for (const { account_id, id } of dead) await disableIfDead(kernel, kernel.db, account_id, id);
}

const isDead = sql`status = 'active' and delete_date is null
  and failing_since < now() - make_interval(days => ${DISABLE_AFTER_DAYS})`;

const disableIfDead = (kernel: Kernel, db: Db, account_id: string, id: string): Promise<void> =>
  db.tx(async (tx) => {
    const disabled = await tx.maybeOne<{ url: string; since: string }>(sql`
      update webhooks set status = 'disabled', next_date = null, update_date = now()
      where account_id = ${account_id} and id = ${id} and ${isDead}
      returning url, to_char(failing_since, 'YYYY-MM-DD HH24:MI') as since`);
    if (!disabled) return;
    await tx.run(sql`
      update webhook_deliveries set status = 'failed', error = 'The webhook was disabled', update_date = now()
      where account_id = ${account_id} and webhook_id = ${id} and status = 'pending'`);
    emit(tx, webhooksChanged, account_id, { id });
    await notifyDisabled(tx, kernel.config.PUBLIC_URL, { account_id, id, ...disabled });
  });
