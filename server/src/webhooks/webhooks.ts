/**
 * Webhooks send an account's events to the customer's URLs. This module only subscribes to events: fanout.ts creates
 * deliveries from them, and deliver.ts sends each at least once, in order per message. URLs never lead to private
 * networks. Customers see each attempt and can resend a delivery.
 */
import type { Parsed } from '@parley/contract/endpoint.ts';
import { permits } from '@parley/contract/permission.ts';
import { Problem } from '@parley/contract/problem.ts';
import { seesSpend } from '@parley/contract/spend.ts';
import { WEBHOOK_EVENTS } from '@parley/contract/webhooks/catalogue.ts';
import type { createWebhookCertificate } from '@parley/contract/webhooks/certificates.ts';
import * as contract from '@parley/contract/webhooks/webhooks.ts';
import { readBrand } from '../kernel/brand/brand.ts';
import { newId } from '../kernel/clock.ts';
import { type Queryable, runTogether, type Tx } from '../kernel/db/db.ts';
import { type Paged, paged, readPage } from '../kernel/db/list.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import { createOutbound, OutboundError } from '../kernel/http/outbound.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { emit } from '../kernel/live/events.ts';
import { record } from '../kernel/security/audit.ts';
import type { Actor } from '../kernel/security/auth.ts';
import { presentCertificate, readAuthorities, readInput, storeCertificate } from './certificates.ts';
import { requireGrantable } from './grants.ts';
import * as queries from './queries.ts';
import { maskSecret, newSecret } from './signatures.ts';

type Create = Parsed<typeof contract.createWebhook>['body'];
type Update = Parsed<typeof contract.updateWebhook>['body'];

const DEFAULT_HEADER = 'X-Signature';
const RECOVERED_AT_ONCE = 10_000;

export async function listWebhooks(
  kernel: Kernel,
  actor: Actor,
  query: Parsed<typeof contract.listWebhooks>['query'],
): Promise<Paged<contract.Webhook>> {
  const page = readPage(query);
  const rows = await queries.listWebhookRows(kernel.db, actor.account_id, page);
  const total = await queries.countWebhooks(kernel.db, actor.account_id);
  return paged(
    page,
    rows.map((row) => present(kernel, actor, row)),
    total,
  );
}

export async function getWebhook(kernel: Kernel, db: Queryable, actor: Actor, id: string): Promise<contract.Webhook> {
  return present(kernel, actor, await read(db, actor, id));
}

async function read(db: Queryable, { account_id }: Actor, id: string): Promise<queries.WebhookRow> {
  const row = await queries.findWebhook(db, account_id, id);
  if (!row) throw new Problem('WEBHOOK_NOT_FOUND');
  return row;
}

function present(kernel: Kernel, actor: Actor, row: queries.WebhookRow): contract.Webhook {
  const secret = kernel.seals.open(row.secret, { table: 'webhooks', row: row.id });
  const { channels, sender_ids, sees_spend: _, client_certificate, certificate_source, ...shown } = row;
  return {
    ...shown,
    secret: permits(actor.permissions, 'WEBHOOKS:edit') ? secret : maskSecret(secret),
    filters: { channels, sender_ids },
    client_certificate: presentCertificate({ client_certificate, certificate_source }),
    links: { self: `/v1/webhooks/${row.id}`, account: '/v1/accounts/self' },
  };
}

/** The name is resolved outside a transaction, because it can take seconds. */
export async function createWebhook(ctx: Ctx, body: Create): Promise<contract.Webhook> {
  const { kernel, actor } = ctx;
  if (body.event === undefined && body.events === undefined) throw new Problem('WEBHOOK_EVENT_REQUIRED');
  if (body.event !== undefined && body.events !== undefined)
    throw new Problem('WEBHOOK_EVENTS_INVALID', { message: 'Send either event or events' });
  requireGrantable(actor, body);
  await checkUrl(kernel, body.url);
  const server_ca = body.server_ca ? readAuthorities(body.server_ca) : null;
  if (server_ca) requireHttps(body.url);
  return kernel.db.tx(async (tx) => {
    const { account_id } = actor;
    await queries.lockWebhooks(tx, account_id);
    const id = newId();
    if (body.event && (await queries.isEventTaken(tx, account_id, body.event, id))) throw new Problem('WEBHOOK_EXISTS');
    if ((await queries.countWebhooks(tx, account_id)) >= contract.MAX_WEBHOOKS)
      throw new Problem('WEBHOOKS_LIMIT_EXCEEDED');
    await queries.insertWebhook(tx, account_id, id, {
      url: body.url,
      secret: seal(kernel, id, body.secret ?? newSecret()),
      event: body.event ?? null,
      events: unique(body.events ?? []),
      channels: unique(body.filters?.channels ?? []),
      sender_ids: unique(body.filters?.sender_ids ?? []),
      signature_header: body.signature_header ?? DEFAULT_HEADER,
      signature_encoding: body.signature_encoding ?? 'base64',
      server_ca,
      sees_spend: seesSpend(actor.permissions),
    });
    announce(tx, ctx, 'webhook.created', id, body.url);
    return getWebhook(kernel, tx, actor, id);
  });
}

export async function updateWebhook(ctx: Ctx, id: string, body: Update): Promise<contract.Webhook> {
  const { kernel, actor } = ctx;
  if (body.event !== undefined && body.events !== undefined)
    throw new Problem('WEBHOOK_EVENTS_INVALID', { message: 'Send either event or events' });
  const current = await read(kernel.db, actor, id);
  requireGrantable(actor, { event: body.event ?? current.event ?? undefined, events: body.events ?? current.events });
  if (body.url !== undefined) await checkUrl(kernel, body.url);
  const authorities = body.server_ca ? readAuthorities(body.server_ca) : null;
  return kernel.db.tx(async (tx) => {
    const { account_id } = actor;
    await queries.lockWebhooks(tx, account_id);
    await lock(tx, actor, id);
    const before = await read(tx, actor, id);
    const event = body.events ? null : (body.event ?? before.event);
    if (event && (await queries.isEventTaken(tx, account_id, event, id))) throw new Problem('WEBHOOK_EXISTS');
    const server_ca = body.server_ca === undefined ? before.server_ca : authorities;
    const url = body.url ?? before.url;
    if (server_ca || before.client_certificate) requireHttps(url);
    await queries.updateWebhook(tx, account_id, id, {
      ...{ ...before, url, server_ca },
      secret: body.secret === undefined ? before.secret : seal(kernel, id, body.secret),
      event,
      events: event ? [] : unique(body.events ?? before.events),
      channels: unique(body.filters?.channels ?? before.channels),
      sender_ids: unique(body.filters?.sender_ids ?? before.sender_ids),
      signature_header: body.signature_header ?? before.signature_header,
      signature_encoding: body.signature_encoding ?? before.signature_encoding,
      sees_spend: before.sees_spend && seesSpend(actor.permissions),
      status: body.status ?? before.status,
    });
    announce(tx, ctx, 'webhook.updated', id, body.url ?? before.url);
    return getWebhook(kernel, tx, actor, id);
  });
}

export async function rotateSecret(ctx: Ctx, id: string, secret = newSecret()): Promise<contract.Webhook> {
  const { tx, actor, kernel } = ctx;
  await lock(tx, actor, id);
  const sealed = seal(kernel, id, secret);
  await queries.rotateSecret(tx, actor.account_id, id, sealed, contract.SECRET_GRACE_SECONDS);
  const webhook = await getWebhook(kernel, tx, actor, id);
  announce(tx, ctx, 'webhook.secret_rotated', id, webhook.url);
  return webhook;
}

/** Generates a client certificate, or stores the one in the request. */
export async function createCertificate(
  ctx: Ctx,
  id: string,
  body: Parsed<typeof createWebhookCertificate>['body'],
): Promise<contract.Webhook> {
  const { tx, actor, kernel } = ctx;
  await lock(tx, actor, id);
  const { url } = await read(tx, actor, id);
  requireHttps(url);
  const { account_id } = actor;
  const { name } = await readBrand(tx, account_id);
  await storeCertificate(tx, kernel, { account_id, id }, readInput(body, certificateName(name, id), tx.now));
  announce(tx, ctx, 'webhook.certificate_created', id, url);
  return getWebhook(kernel, tx, actor, id);
}

/** The name of a certificate has at most 64 characters. */
const certificateName = (brand: string, id: string): string => `${[...brand].slice(0, 19).join('')} webhook ${id}`;

export async function removeCertificate(ctx: Ctx, id: string): Promise<contract.Webhook> {
  const { tx, actor, kernel } = ctx;
  await lock(tx, actor, id);
  const { url, client_certificate } = await read(tx, actor, id);
  if (client_certificate !== null) {
    await storeCertificate(tx, kernel, { account_id: actor.account_id, id }, null);
    announce(tx, ctx, 'webhook.certificate_removed', id, url);
  }
  return getWebhook(kernel, tx, actor, id);
}

function requireHttps(url: string): void {
  if (new URL(url).protocol !== 'https:') throw new Problem('WEBHOOK_HTTPS_REQUIRED');
}

export async function removeWebhook(ctx: Ctx, id: string): Promise<void> {
  const { tx, actor } = ctx;
  await lock(tx, actor, id);
  const { url } = await read(tx, actor, id);
  await queries.deleteWebhook(tx, actor.account_id, id);
  announce(tx, ctx, 'webhook.deleted', id, url);
}

export async function listDeliveries(
  db: Queryable,
  actor: Actor,
  id: string,
  query: Parsed<typeof contract.listWebhookDeliveries>['query'],
): Promise<Paged<contract.WebhookDelivery>> {
  await read(db, actor, id);
  const page = readPage(query);
  const filter = query.filter ?? {};
  const [rows, total] = await runTogether(
    queries.listDeliveryRows(db, actor.account_id, id, filter, page),
    queries.countDeliveries(db, actor.account_id, id, filter),
  );
  return paged(page, rows, total, (row) => row.id);
}

/** The request contains the event, so it is shown only to users who could create a webhook that sends it. */
export async function getDelivery(
  db: Queryable,
  actor: Actor,
  id: string,
  delivery_id: string,
): Promise<contract.WebhookDeliveryDetail> {
  const webhook = await read(db, actor, id);
  const delivery = await readDelivery(db, actor, id, delivery_id);
  requireGrantable(actor, webhook.event ? { event: delivery.event } : { events: [delivery.event] });
  if (webhook.sees_spend && !seesSpend(actor.permissions))
    throw new Problem('PERMISSION_REQUIRED', {
      message: 'This request contains amounts. You need permission to view payments or rates.',
    });
  return delivery;
}

async function readDelivery(
  db: Queryable,
  actor: Actor,
  id: string,
  delivery_id: string,
): Promise<contract.WebhookDeliveryDetail> {
  const delivery = await queries.findDelivery(db, actor.account_id, id, delivery_id);
  if (!delivery) throw new Problem('WEBHOOK_DELIVERY_NOT_FOUND');
  return delivery;
}

export async function resendDelivery(
  tx: Tx,
  actor: Actor,
  id: string,
  delivery_id: string,
): Promise<contract.WebhookDelivery> {
  await lockActive(tx, actor, id);
  await readDelivery(tx, actor, id, delivery_id);
  await queries.resendDelivery(tx, actor.account_id, delivery_id);
  await queries.wakeWebhook(tx, actor.account_id, id);
  emit(tx, contract.webhooksChanged, actor.account_id, { id });
  return readDelivery(tx, actor, id, delivery_id);
}

export async function recoverDeliveries(tx: Tx, actor: Actor, id: string, since: string): Promise<{ count: number }> {
  await lockActive(tx, actor, id);
  const count = await queries.recoverDeliveries(tx, actor.account_id, id, since, RECOVERED_AT_ONCE);
  await queries.wakeWebhook(tx, actor.account_id, id);
  emit(tx, contract.webhooksChanged, actor.account_id, { id });
  return { count };
}

export async function lockActive(tx: Tx, actor: Actor, id: string): Promise<queries.WebhookRow> {
  await lock(tx, actor, id);
  const webhook = await read(tx, actor, id);
  if (webhook.status !== 'active') throw new Problem('WEBHOOK_NOT_ACTIVE');
  return webhook;
}

async function lock(tx: Tx, { account_id }: Actor, id: string): Promise<void> {
  if (!(await queries.lockWebhook(tx, account_id, id))) throw new Problem('WEBHOOK_NOT_FOUND');
}

function announce(tx: Tx, ctx: Ctx, action: string, id: string, url: string): void {
  record(tx, ctx, { action, target: { type: 'webhook', id, name: new URL(url).host } });
  emit(tx, contract.webhooksChanged, ctx.actor.account_id, { id });
}

const unique = <T>(list: readonly T[]): T[] => [...new Set(list)];

const seal = ({ seals }: Kernel, id: string, secret: string): string =>
  seals.seal(secret, { table: 'webhooks', row: id });

async function checkUrl({ config }: Kernel, url: string): Promise<void> {
  await createOutbound(config)
    .check(url)
    .catch((error: unknown) => {
      if (!(error instanceof OutboundError)) throw error;
      throw new Problem('WEBHOOK_DOMAIN_NOT_ALLOWED', { message: error.message });
    });
}

/** The events in the catalog by name. */
export const findEvent = (name: string) => WEBHOOK_EVENTS.find((one) => one.name === name);
