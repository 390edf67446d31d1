import { WEBHOOK_EVENTS } from '@parley/contract/webhooks/catalogue.ts';
import type { Webhook } from '@parley/contract/webhooks/webhooks.ts';

export const SIMPLE_LABELS = { message: 'Inbound messages', delivery: 'Delivery reports' } as const;

export const EVENT_OPTIONS = WEBHOOK_EVENTS.map(({ name, label }) => ({ value: name, label: `${label} (${name})` }));

export const eventsText = ({ event, events }: Pick<Webhook, 'event' | 'events'>): string => {
  if (event) return SIMPLE_LABELS[event];
  return events.length === 1 ? events[0]! : `${events.length} events`;
};

/** The event of a delivery, as in the list of webhooks. */
export const eventLabel = (event: string): string =>
  event in SIMPLE_LABELS ? SIMPLE_LABELS[event as keyof typeof SIMPLE_LABELS] : event;
