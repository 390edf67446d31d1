/** Example deliveries. They are built like real ones, from a made-up message. */

import { DEFAULT_CHANNEL } from '@parley/contract/channels/names.ts';
import { Problem } from '@parley/contract/problem.ts';
import { feedExampleCreated } from '@parley/contract/webhooks/feed.ts';
import type { Webhook, WebhookDelivery } from '@parley/contract/webhooks/webhooks.ts';
import { newId } from '../kernel/clock.ts';
import type { Tx } from '../kernel/db/db.ts';
import { emit } from '../kernel/live/events.ts';
import type { Actor } from '../kernel/security/auth.ts';
import { compose } from './bodies.ts';
import { insertDeliveries } from './fanout.ts';
import { requireGrantable } from './grants.ts';
import { findEvent, getDelivery, lockActive } from './webhooks.ts';

export async function sendExample(
  tx: Tx,
  actor: Actor,
  id: string,
  requested: string | undefined,
): Promise<WebhookDelivery> {
  const webhook = await lockActive(tx, actor, id);
  const name = requested ?? webhook.event ?? webhook.events[0] ?? '';
  const composed = compose({ ...webhook, channels: [], sender_ids: [] }, exampleEvent(webhook, name), null);
  if (!composed) throw new Problem('WEBHOOK_EVENTS_INVALID', { message: 'The webhook does not send this event' });
  const delivery_id = newId();
  const row = { account_id: actor.account_id, id: delivery_id, webhook_id: id, seq: 0, ...composed, order_key: null };
  await insertDeliveries(tx, [row]);
  return getDelivery(tx, actor, id, delivery_id);
}

/** Adds the example to the event feed, for programs that read it. */
export function createFeedExample(tx: Tx, actor: Actor, event: string): { event: string } {
  requireGrantable(actor, { events: [event] });
  const { payload } = exampleEvent(actor, event);
  emit(tx, feedExampleCreated, actor.account_id, { event, payload }, { live: false });
  return { event };
}

function exampleEvent({ account_id }: Pick<Webhook, 'account_id'>, name: string) {
  const simple = { message: 'message.received', delivery: 'message.delivered' }[name] ?? name;
  const event = findEvent(simple);
  if (!event) throw new Problem('WEBHOOK_EVENTS_INVALID');
  const isInbound = simple === 'message.received';
  const now = new Date().toISOString().slice(0, 23).replace('T', ' ');
  const date = now.slice(0, 19);
  const payload: Record<string, unknown> = {
    id: newId(),
    account_id,
    direction: isInbound ? 'MO' : 'MT',
    channel: DEFAULT_CHANNEL,
    from: isInbound ? '447700900123' : 'Example',
    to: isInbound ? 'Example' : '447700900123',
    text: 'This is an example.',
    status: isInbound ? 'received' : 'delivered',
    mccmnc: '23415',
    price: 0.04,
    create_date: date,
    update_date: date,
    example: true,
    ...(event.where ? { [event.where.field]: event.where.value } : {}),
  };
  return { account_id, seq: 0, type: event.type.id, payload, published_at: now };
}
