/**
 * Stores the results of attempts. Failed deliveries are tried again for three days, with pauses that grow and vary. An
 * endpoint that keeps failing is tried less often (its circuit is open), and is disabled after days without a success.
 */
import { type WebhookAttempt, webhooksChanged } from '@parley/contract/webhooks/webhooks.ts';
import { type Db, sql, type Tx } from '../kernel/db/db.ts';
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

export async function storeResults(kernel: Kernel, results: readonly Result[]): Promise<void> {
  await kernel.db.tx(async (tx) => {
    // In one order, so that two workers cannot deadlock.
    const webhooks = groupByWebhook(results);
    for (const webhook of webhooks) await updateWebhook(tx, webhook);
    await updateDeliveries(tx, results);
  });
  await disableDead(kernel, results);
}

function pauseSeconds({ ok, tries }: Result): number | null {
  const pause = ok ? undefined : PAUSES[tries];
  return pause === undefined ? null : pause * (1 - JITTER + 2 * JITTER * Math.random());
}

async function updateDeliveries(tx: Tx, results: readonly Result[]): Promise<void> {
  const column = <T>(pick: (result: Result) => T): T[] => results.map(pick);
  const pauses = results.map(pauseSeconds);
  const statuses = results.map(({ ok }, index) => (ok ? 'delivered' : pauses[index] === null ? 'failed' : 'pending'));
  await tx.run(sql`
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
    )
    update webhook_deliveries f set due_date = s.due_date
    from stored s
    where f.account_id = s.account_id and f.webhook_id = s.webhook_id and f.order_key = s.order_key
      and f.status = 'pending' and f.id <> s.id and f.id <> all(array(select id from r))`);
}

interface Outcome {
  account_id: string;
  webhook_id: string;
  ok: boolean;
  failures: number;
}

function groupByWebhook(results: readonly Result[]): Outcome[] {
  const outcomes = new Map<string, Outcome>();
  for (const { account_id, webhook_id, ok } of results) {
    const outcome = outcomes.get(webhook_id) ?? { account_id, webhook_id, ok: false, failures: 0 };
    outcomes.set(webhook_id, { ...outcome, ok: outcome.ok || ok, failures: outcome.failures + (ok ? 0 : 1) });
  }
  return [...outcomes.values()].sort((a, b) => (a.webhook_id < b.webhook_id ? -1 : 1));
}

const updateWebhook = (tx: Tx, { account_id, webhook_id, ok, failures }: Outcome) =>
  ok
    ? tx.run(sql`
        update webhooks set failures = 0, failing_since = null, open_until = null, next_date = now()
        where account_id = ${account_id} and id = ${webhook_id}`)
    : tx.run(sql`
        update webhooks w set failures = n.failures, failing_since = coalesce(w.failing_since, now()),
          open_until = n.open_until, next_date = greatest(now(), n.open_until)
        from (
          select x.failures, case when x.failures >= ${BREAKER.failures} then now() + make_interval(secs =>
            least(${BREAKER.longest}, ${BREAKER.first} * power(2, least(x.failures - ${BREAKER.failures}, 10)))) end
            as open_until
          from (select failures + ${failures}::int as failures from webhooks
            where account_id = ${account_id} and id = ${webhook_id}) x
        ) n
        where w.account_id = ${account_id} and w.id = ${webhook_id}`);

/** Disables webhooks without a success for days. Their pending deliveries count as failed and can be recovered. */
async function disableDead(kernel: Kernel, results: readonly Result[]): Promise<void> {
  const failed = groupByWebhook(results).filter(({ ok }) => !ok);
  for (const { account_id, webhook_id } of failed) await disableIfDead(kernel, kernel.db, account_id, webhook_id);
}

const disableIfDead = (kernel: Kernel, db: Db, account_id: string, id: string): Promise<void> =>
  db.tx(async (tx) => {
    const disabled = await tx.maybeOne<{ url: string; since: string }>(sql`
      update webhooks set status = 'disabled', next_date = null, update_date = now()
      where account_id = ${account_id} and id = ${id} and status = 'active' and delete_date is null
        and failing_since < now() - make_interval(days => ${DISABLE_AFTER_DAYS})
      returning url, to_char(failing_since, 'YYYY-MM-DD HH24:MI') as since`);
    if (!disabled) return;
    await tx.run(sql`
      update webhook_deliveries set status = 'failed', error = 'The webhook was disabled', update_date = now()
      where account_id = ${account_id} and webhook_id = ${id} and status = 'pending'`);
    emit(tx, webhooksChanged, account_id, { id });
    await notifyDisabled(tx, kernel.config.PUBLIC_URL, { account_id, id, ...disabled });
  });
