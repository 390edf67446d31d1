/** The bodies of deliveries. */
import { messageStatusChanged } from '@parley/contract/messages/messages.ts';
import { testMessageStatusChanged } from '@parley/contract/messages/test_messages.ts';
import { hideSpend } from '@parley/contract/spend.ts';
import { WEBHOOK_EVENTS, type WebhookEvent } from '@parley/contract/webhooks/catalogue.ts';

export interface StoredEvent {
  account_id: string;
  seq: number;
  type: string;
  payload: Record<string, unknown>;
  published_at: string;
}

export interface Subscription {
  account_id: string;
  id: string;
  event: string | null;
  events: readonly string[];
  channels: readonly string[];
  sender_ids: readonly string[];
  sees_spend: boolean;
}

interface Composed {
  event: string;
  body: string;
  /** The message, or the other record, that the event is about. */
  order_key: string | null;
}

/** Events of test messages are sent to the same webhooks, with `test` in their data. */
export const TEST_STATUS = testMessageStatusChanged.id;
const LIVE_STATUS = messageStatusChanged.id;

/** The final statuses that the simple event `delivery` reports, as it spells them. */
const FINAL: Readonly<Record<string, string>> = {
  delivered: 'DELIVERED',
  failed: 'FAILED',
  rejected: 'REJECTED',
  blocked: 'REJECTED',
  unsubscribed: 'REJECTED',
  expired: 'EXPIRED',
};

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const orderKey = ({ id }: Record<string, unknown>): string | null => text(id);

/** Returns null if the subscription does not include the event. `echo` is the payload that was given at the send. */
export function compose(to: Subscription, event: StoredEvent, echo: string | null): Composed | null {
  if (!passes(to, event.payload)) return null;
  if (to.event !== null) {
    const data = to.event === 'message' ? inbound(event) : report(event, echo, to.sees_spend);
    return data && { event: to.event, body: JSON.stringify({ data }), order_key: orderKey(event.payload) };
  }
  const found = WEBHOOK_EVENTS.find((one) => to.events.includes(one.name) && matches(one, event));
  if (!found) return null;
  const data = to.sees_spend ? event.payload : hideSpend(found.type.payload, event.payload);
  const timestamp = `${event.published_at.replace(' ', 'T')}Z`;
  const more = echo === null ? {} : { payload: echo };
  return {
    event: found.name,
    body: JSON.stringify({ type: found.name, timestamp, data: { ...(data as object), ...more } }),
    order_key: orderKey(event.payload),
  };
}

const matches = ({ type, where }: WebhookEvent, { type: id, payload }: StoredEvent): boolean =>
  type.id === (id === TEST_STATUS ? LIVE_STATUS : id) && (!where || payload[where.field] === where.value);

/** Events without a channel or a sender pass the filter. */
function passes({ channels, sender_ids }: Subscription, { channel, sender_id }: Record<string, unknown>): boolean {
  const includes = (list: readonly string[], value: unknown) =>
    list.length === 0 || typeof value !== 'string' || list.includes(value);
  return includes(channels, channel) && includes(sender_ids, sender_id);
}

function inbound({ type, payload }: StoredEvent): object | null {
  if (type !== 'message.created' || payload.direction !== 'MO') return null;
  const { account_id, id, from, to, channel, create_date } = payload;
  return {
    account_id,
    message_id: id,
    event: 'message',
    from,
    to,
    text: payload.text,
    channel,
    timestamp: create_date,
  };
}

function report({ type, payload }: StoredEvent, echo: string | null, seesSpend: boolean): object | null {
  const status =
    (type === LIVE_STATUS || type === TEST_STATUS) && payload.direction === 'MT' && FINAL[String(payload.status)];
  if (!status) return null;
  const { account_id, id, channel, to, mccmnc, price, update_date } = payload;
  return {
    account_id,
    message_id: id,
    event: 'delivery',
    status,
    channel,
    to,
    mccmnc,
    ...(seesSpend ? { price } : {}),
    timestamp: update_date,
    ...(payload.test ? { test: true } : {}),
    ...(echo === null ? {} : { payload: echo }),
  };
}

/** The kinds of stored events that some webhook can send. */
export const EVENT_TYPES: readonly string[] = [...new Set(WEBHOOK_EVENTS.map(({ type }) => type.id)), TEST_STATUS];
