import {
  PAYLOAD_VERSIONS,
  type Webhook,
  type WebhookDelivery,
  type WebhookDeliveryDetail,
} from '@parley/contract/webhooks/webhooks.ts';
import { idAt } from '../kernel/clock.ts';
import { and, type Queryable, raw, sql, type Tx } from '../kernel/db/db.ts';
import { afterKey, CAP, type Page } from '../kernel/db/list.ts';
import { LEASE_SECONDS } from './claim.ts';

export interface WebhookRow {
  id: string;
  account_id: string;
  url: string;
  secret: string;
  event: 'message' | 'delivery' | null;
  events: string[];
  channels: string[];
  sender_ids: string[];
  signature_header: string;
  signature_encoding: 'base64' | 'hex';
  payload_version: Webhook['payload_version'];
  client_certificate: string | null;
  certificate_source: 'generated' | 'uploaded' | null;
  server_ca: string | null;
  status: 'active' | 'paused' | 'disabled';
  failing_since: string | null;
  previous_secret_expire_date: string | null;
  pending_count: number;
  create_date: string;
  update_date: string;
  sees_spend: boolean;
}

const columns = raw(`
  w.id, w.account_id, w.url, w.secret, w.event, w.events, w.channels, w.sender_ids, w.signature_header,
  w.signature_encoding, w.payload_version, w.client_certificate, w.certificate_source, w.server_ca, w.status,
  w.failing_since, w.create_date, w.update_date, w.sees_spend,
  case when w.previous_secret_expire_date > now() then w.previous_secret_expire_date end as previous_secret_expire_date,
  (select count(*)::int from (select 1 from webhook_deliveries d where d.account_id = w.account_id
    and d.webhook_id = w.id and d.status = 'pending' limit 1000) p) as pending_count`);

export const listWebhookRows = (db: Queryable, account_id: string, page: Page) =>
  db.rows<WebhookRow>(sql`
    select ${columns} from webhooks w where w.account_id = ${account_id} and w.delete_date is null
    order by w.id desc limit ${page.size + 1} offset ${page.offset}`);

export const countWebhooks = async (db: Queryable, account_id: string): Promise<number> =>
  (
    await db.one<{ count: number }>(
      sql`select count(*)::int as count from webhooks where account_id = ${account_id} and delete_date is null`,
    )
  ).count;

export const findWebhook = (db: Queryable, account_id: string, id: string) =>
  db.maybeOne<WebhookRow>(
    sql`select ${columns} from webhooks w
        where w.account_id = ${account_id} and w.id = ${id} and w.delete_date is null`,
  );

export const lockWebhook = (tx: Tx, account_id: string, id: string) =>
  tx.maybeOne<{ id: string }>(
    sql`select id from webhooks where account_id = ${account_id} and id = ${id} and delete_date is null for update`,
  );

/** Serializes the creation of an account's webhooks, so that the limit holds for simultaneous calls. */
export const lockWebhooks = (tx: Tx, account_id: string) =>
  tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${account_id}, 7305))`);

type Settings = Pick<
  WebhookRow,
  | 'url'
  | 'secret'
  | 'event'
  | 'events'
  | 'channels'
  | 'sender_ids'
  | 'signature_header'
  | 'signature_encoding'
  | 'server_ca'
  | 'sees_spend'
>;

export const insertWebhook = (tx: Tx, account_id: string, id: string, row: Settings) =>
  tx.run(sql`
    insert into webhooks (account_id, id, url, secret, event, events, channels, sender_ids, signature_header,
      signature_encoding, server_ca, sees_spend, payload_version)
    values (${account_id}, ${id}, ${row.url}, ${row.secret}, ${row.event}, ${row.events}::text[],
      ${row.channels}::text[], ${row.sender_ids}::uuid[], ${row.signature_header}, ${row.signature_encoding},
      ${row.server_ca}, ${row.sees_spend}, ${PAYLOAD_VERSIONS.at(-1)})`);

/** Resuming clears the circuit breaker. */
export const updateWebhook = (tx: Tx, account_id: string, id: string, row: Settings & Pick<WebhookRow, 'status'>) =>
  tx.run(sql`
    update webhooks set url = ${row.url}, secret = ${row.secret}, event = ${row.event}, events = ${row.events}::text[],
      channels = ${row.channels}::text[], sender_ids = ${row.sender_ids}::uuid[],
      signature_header = ${row.signature_header}, signature_encoding = ${row.signature_encoding},
      server_ca = ${row.server_ca}, sees_spend = ${row.sees_spend}, status = ${row.status},
      failures = 0, failing_since = null, open_until = null, next_date = now(), update_date = ${tx.now}
    where account_id = ${account_id} and id = ${id}`);

export const isEventTaken = async (db: Queryable, account_id: string, event: string, id: string): Promise<boolean> =>
  (
    await db.one<{ taken: boolean }>(sql`
      select exists (select 1 from webhooks where account_id = ${account_id} and event = ${event} and id <> ${id}
        and delete_date is null) as taken`)
  ).taken;

export const rotateSecret = (tx: Tx, account_id: string, id: string, secret: string, grace_seconds: number) =>
  tx.run(sql`
    update webhooks set previous_secret = secret, secret = ${secret},
      previous_secret_expire_date = now() + make_interval(secs => ${grace_seconds}), update_date = ${tx.now}
    where account_id = ${account_id} and id = ${id}`);

export const deleteWebhook = (tx: Tx, account_id: string, id: string) =>
  tx.run(sql`
    update webhooks set delete_date = ${tx.now}, next_date = null, event = null, previous_secret = null,
      client_certificate = null, client_key = null, certificate_expire_date = null
    where account_id = ${account_id} and id = ${id}`);

const deliveryColumns = raw(`
  d.id, d.account_id, d.webhook_id, d.event, d.status, case when d.event like 'message%' or d.event = 'delivery'
    then d.order_key end as message_id,
  d.attempts_count, d.response_status, d.error, case when d.status = 'pending' then d.due_date end as next_date,
  d.create_date, d.update_date`);

interface DeliveryFilter {
  status?: string | undefined;
  message_id?: string | undefined;
}

const conditions = (account_id: string, webhook_id: string, { status, message_id }: DeliveryFilter) =>
  and([
    sql`d.account_id = ${account_id} and d.webhook_id = ${webhook_id}`,
    status && sql`d.status = ${status}`,
    message_id && sql`d.order_key = ${message_id}`,
  ]);

export const listDeliveryRows = (
  db: Queryable,
  account_id: string,
  webhook_id: string,
  filter: DeliveryFilter,
  page: Page,
) =>
  db.rows<WebhookDelivery>(sql`
    select ${deliveryColumns} from webhook_deliveries d
    where ${conditions(account_id, webhook_id, filter)} and ${afterKey(page, 'd.id')}
    order by d.id desc limit ${page.size + 1} offset ${page.offset}`);

export const countDeliveries = async (
  db: Queryable,
  account_id: string,
  webhook_id: string,
  filter: DeliveryFilter,
): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*)::int as count from (
        select 1 from webhook_deliveries d where ${conditions(account_id, webhook_id, filter)} limit ${CAP + 1}) c`)
  ).count;

export const findDelivery = (db: Queryable, account_id: string, webhook_id: string, id: string) =>
  db.maybeOne<WebhookDeliveryDetail>(sql`
    select ${deliveryColumns}, d.body as request_body, d.attempts from webhook_deliveries d
    where d.account_id = ${account_id} and d.webhook_id = ${webhook_id} and d.id = ${id}`);

const again = raw(`status = 'pending', tries = 0, due_date = now(), update_date = now()`);

export const resendDelivery = (tx: Tx, account_id: string, id: string) =>
  tx.run(sql`update webhook_deliveries set ${again} where account_id = ${account_id} and id = ${id}`);

/**
 * Sends deliveries again whose last attempt has failed since the time: those that were given up, and those that wait
 * for another attempt. A delivery that is being sent is due when its lease ends, so it is left alone.
 */
export const recoverDeliveries = (tx: Tx, account_id: string, webhook_id: string, since: string, limit: number) =>
  tx.run(sql`
    update webhook_deliveries set ${again}
    where account_id = ${account_id} and id in (
      (select id from webhook_deliveries where account_id = ${account_id} and webhook_id = ${webhook_id}
         and status = 'failed' and update_date >= ${since}::timestamp at time zone 'UTC'
       order by update_date limit ${limit})
      union all
      (select id from webhook_deliveries where account_id = ${account_id} and webhook_id = ${webhook_id}
         and status = 'pending' and due_date > now() + make_interval(secs => ${LEASE_SECONDS}) and tries > 0
         and update_date >= ${since}::timestamp at time zone 'UTC'
       order by due_date limit ${limit})
      limit ${limit})`);

export const wakeWebhook = (tx: Tx, account_id: string, id: string) =>
  tx.run(sql`
    update webhooks set next_date = now(), open_until = null where account_id = ${account_id} and id = ${id}`);

/** Deletes deliveries that were created before the time, and webhooks that were deleted before it. */
export async function pruneDeliveries(db: Queryable, before: Date, signal: AbortSignal): Promise<void> {
  for (const { account_id, id } of await db.rows<{ account_id: string; id: string }>(
    sql`select account_id, id from webhooks`,
  )) {
    let removed = BATCH;
    while (removed === BATCH && !signal.aborted)
      removed = await db.run(sql`
        delete from webhook_deliveries where account_id = ${account_id} and id in (
          select id from webhook_deliveries where account_id = ${account_id} and webhook_id = ${id}
            and id < ${idAt(before.getTime())}::uuid limit ${BATCH})`);
  }
  await db.run(sql`delete from webhooks where delete_date < ${before}`);
}
const BATCH = 5_000;
