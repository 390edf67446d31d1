/**
 * Claims due deliveries. A claim moves the due date to the end of a lease, so a delivery whose worker dies becomes due
 * again. Of the deliveries with the same order key, only the first pending one can be claimed.
 */
import { type Db, type Queryable, sql, type Tx } from '../kernel/db/db.ts';

/** Longer than a claimed delivery waits, its attempt, and the storing of its result take together. */
export const LEASE_SECONDS = 60;
const MAX_WEBHOOKS = 100;

export interface Target {
  account_id: string;
  id: string;
  url: string;
  secret: string;
  previous_secret: string | null;
  signature_header: string;
  signature_encoding: 'base64' | 'hex';
  payload_version: string;
  /** PEM; the key is sealed. Null without a client certificate. */
  client_certificate: string | null;
  client_key: string | null;
  server_ca: string | null;
  failures: number;
}

export interface Claimed {
  account_id: string;
  id: string;
  webhook_id: string;
  order_key: string | null;
  body: string;
  tries: number;
}

export interface Claim {
  targets: readonly Target[];
  deliveries: readonly Claimed[];
}

/** The webhooks that a claim reads. Webhooks that cannot start a delivery must not displace others. */
export interface Choice {
  /** `slow`: the webhooks that fail, and those in `slow`. `fresh`: all others. */
  lane: 'fresh' | 'slow';
  /** Webhooks that respond slowly. */
  slow: readonly string[];
  full_webhooks: readonly string[];
  full_accounts: readonly string[];
  /** The only webhooks to read. Null: all. */
  only: readonly string[] | null;
}

/** `room` returns how many deliveries of a webhook may be claimed now. It is called once for each webhook. */
export const claim = (db: Db, room: (target: Target) => number, choice: Choice): Promise<Claim> =>
  db.tx(async (tx) => {
    const due = await tx.rows<Target>(sql`
      select account_id, id, url, secret,
        case when previous_secret_expire_date > now() then previous_secret end as previous_secret,
        signature_header, signature_encoding, payload_version, client_certificate, client_key, server_ca, failures
      from webhooks
      where next_date <= now() and status = 'active' and delete_date is null
        and (failures > 0 or id = any(${choice.slow}::uuid[])) = ${choice.lane === 'slow'}
        and id <> all(${choice.full_webhooks}::uuid[]) and account_id <> all(${choice.full_accounts}::uuid[])
        ${choice.only === null ? sql`` : sql`and id = any(${choice.only}::uuid[])`}
      order by next_date limit ${MAX_WEBHOOKS} for update skip locked`);
    const rooms = new Map(due.map((target) => [target, room(target)]));
    const targets = due.filter((target) => rooms.get(target)! > 0);
    if (targets.length === 0) return { targets, deliveries: [] };
    const deliveries = await claimHeads(
      tx,
      targets,
      targets.map((target) => rooms.get(target)!),
    );
    await scheduleNext(tx, targets);
    return { targets, deliveries };
  });

const keys = (rows: readonly Pick<Target, 'account_id' | 'id'>[]) => sql`
  ${rows.map(({ account_id }) => account_id)}::uuid[], ${rows.map(({ id }) => id)}::uuid[]`;

/**
 * Skips locked deliveries: another worker is storing their results. Waiting for it could deadlock, because it stores
 * them in another order.
 */
const claimHeads = (tx: Tx, targets: readonly Target[], rooms: readonly number[]) =>
  tx.rows<Claimed>(sql`
    with heads as materialized (
      select h.account_id, h.id
      from unnest(${keys(targets)}, ${rooms}::int[]) as t(account_id, webhook_id, room)
      cross join lateral (
        select d.account_id, d.id from webhook_deliveries d
        where d.account_id = t.account_id and d.webhook_id = t.webhook_id and d.status = 'pending'
          and d.due_date <= now()
          and not exists (
            select 1 from webhook_deliveries e
            where e.account_id = d.account_id and e.webhook_id = d.webhook_id and e.order_key = d.order_key
              and e.status = 'pending' and (e.seq, e.id) < (d.seq, d.id))
        order by d.due_date limit t.room for update of d skip locked
      ) h
    ), claimed as (
      update webhook_deliveries d set due_date = now() + make_interval(secs => ${LEASE_SECONDS})
      from heads h where d.account_id = h.account_id and d.id = h.id
      returning d.account_id, d.id, d.webhook_id, d.order_key, d.body, d.tries
    ), followers as (
      -- The deliveries behind a claimed one wait for it, so they are not examined in vain.
      update webhook_deliveries f set due_date = now() + make_interval(secs => ${LEASE_SECONDS})
      from claimed c
      where f.account_id = c.account_id and f.webhook_id = c.webhook_id and f.order_key = c.order_key
        and f.status = 'pending' and f.id <> all(array(select id from heads))
    )
    select * from claimed`);

/** A new statement, so that it sees the deliveries that were created while the webhook's row was being locked. */
const scheduleNext = (tx: Tx, targets: readonly Target[]) =>
  tx.run(sql`
    update webhooks w set next_date = (
      select min(d.due_date) from webhook_deliveries d
      where d.account_id = w.account_id and d.webhook_id = w.id and d.status = 'pending')
    from unnest(${keys(targets)}) as t(account_id, id)
    where w.account_id = t.account_id and w.id = t.id`);

/** Ends the leases of deliveries that were claimed but not attempted. */
export const release = (db: Queryable, deliveries: readonly Claimed[]) =>
  db.run(sql`
    with released as (
      update webhook_deliveries d set due_date = now()
      from unnest(${keys(deliveries)}) as t(account_id, id)
      where d.account_id = t.account_id and d.id = t.id and d.status = 'pending'
      returning d.account_id, d.webhook_id
    )
    update webhooks w set next_date = least(w.next_date, greatest(now(), w.open_until))
    from (select distinct account_id, webhook_id from released) r
    where w.account_id = r.account_id and w.id = r.webhook_id and w.status = 'active' and w.delete_date is null`);
