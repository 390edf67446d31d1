import { createWebhookCertificate, removeWebhookCertificate } from '@parley/contract/webhooks/certificates.ts';
import { createFeedExample } from '@parley/contract/webhooks/feed.ts';
import * as contract from '@parley/contract/webhooks/webhooks.ts';
import { type Implementation, implement, implementOutside } from '../kernel/http/endpoint.ts';
import { createFeedExample as addExample, sendExample } from './examples.ts';
import * as webhooks from './webhooks.ts';

export const routes: Implementation[] = [
  implement(contract.listWebhooks, ({ kernel, actor }, { query }) => webhooks.listWebhooks(kernel, actor, query)),
  implement(contract.getWebhook, ({ kernel, tx, actor }, { params }) =>
    webhooks.getWebhook(kernel, tx, actor, params.id),
  ),
  implementOutside(contract.createWebhook, (ctx, { body }) => webhooks.createWebhook(ctx, body)),
  implementOutside(contract.updateWebhook, (ctx, { params, body }) => webhooks.updateWebhook(ctx, params.id, body)),
  implement(contract.removeWebhook, (ctx, { params }) => webhooks.removeWebhook(ctx, params.id)),
  implement(contract.rotateWebhookSecret, (ctx, { params, body }) =>
    webhooks.rotateSecret(ctx, params.id, body.secret),
  ),
  implement(createWebhookCertificate, (ctx, { params, body }) => webhooks.createCertificate(ctx, params.id, body)),
  implement(removeWebhookCertificate, (ctx, { params }) => webhooks.removeCertificate(ctx, params.id)),
  implement(contract.sendWebhookExample, ({ tx, actor }, { params, body }) =>
    sendExample(tx, actor, params.id, body.event),
  ),
  implement(createFeedExample, async ({ tx, actor }, { body }) => addExample(tx, actor, body.event)),
  implement(contract.recoverWebhook, ({ tx, actor }, { params, body }) =>
    webhooks.recoverDeliveries(tx, actor, params.id, body.since),
  ),
  implement(contract.listWebhookDeliveries, ({ tx, actor }, { params, query }) =>
    webhooks.listDeliveries(tx, actor, params.id, query),
  ),
  implement(contract.getWebhookDelivery, ({ tx, actor }, { params }) =>
    webhooks.getDelivery(tx, actor, params.id, params.delivery_id),
  ),
  implement(contract.resendWebhookDelivery, ({ tx, actor }, { params }) =>
    webhooks.resendDelivery(tx, actor, params.id, params.delivery_id),
  ),
];
