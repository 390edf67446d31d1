/**
 * The event feed: webhook events, for programs without a public URL. A program fetches the events after a
 * cursor, and a call that finds none can wait for the next one. Nothing is stored per program.
 */
import { z } from 'zod';
import { exists, problem } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { WEBHOOK_EVENT_NAMES } from './catalogue.ts';

/** The longest time that a call waits for an event, in seconds. Proxies end calls that are silent for a minute. */
export const MAX_WAIT_SECONDS = 20;

const FeedEvent = z.object({
  /** The same in every call. Ignore an ID that you have seen. */
  id: z.string(),
  /** The position of the event. */
  cursor: z.string(),
  type: z.string(),
  timestamp: z.string(),
  data: z.record(z.string(), z.unknown()),
});
export const EventPage = z.object({
  events: z.array(FeedEvent),
  /** The position up to which this response contains all events. Pass it to the next call as `after`. */
  cursor: z.string(),
  /** True if more events are available now. */
  has_more: z.boolean(),
});
export type EventPage = z.output<typeof EventPage>;

const NEEDS = ['MESSAGES:view', 'WEBHOOKS:view'] as const;
const cursor = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(:\d{2})?(\.\d{1,6})?Z?$/, { error: problem('VALUE_INVALID') })
  .refine((text) => exists(text.slice(0, 16)), { error: problem('VALUE_INVALID') });

export const listFeed = endpoint({
  id: 'webhooks.list_events',
  method: 'GET',
  path: '/v1/webhook_events',
  summary: 'List the latest webhook events that the caller may view, oldest first, and wait for new ones',
  needs: NEEDS,
  test_keys: true,
  unattended: true,
  query: z.object({
    after: cursor.optional().meta({
      description:
        'The cursor of the last response, or a time in UTC. Without it, the response has the current cursor and no ' +
        'events.',
    }),
    wait_seconds: z.coerce.number().int().min(0).max(MAX_WAIT_SECONDS).optional().meta({
      description: 'How long to wait if there are no events after the cursor. By default, the call does not wait.',
    }),
  }),
  timeout_ms: (MAX_WAIT_SECONDS + 15) * 1_000,
  output: EventPage,
  problems: ['VALUE_INVALID', 'WEBHOOK_EVENTS_EXPIRED', 'STREAMS_LIMIT_EXCEEDED'],
});

/** The example reaches every program that reads the feed. Webhooks have their own examples. */
export const createFeedExample = endpoint({
  id: 'webhooks.create_example_event',
  method: 'POST',
  path: '/v1/webhook_events/examples',
  summary: 'Add an example event to the event feed. Webhooks do not send it',
  needs: ['MESSAGES:add', 'WEBHOOKS:edit'],
  test_keys: true,
  body: z.object({
    event: z.enum(WEBHOOK_EVENT_NAMES as [string, ...string[]], { error: problem('WEBHOOK_EVENTS_INVALID') }),
  }),
  status: 202,
  output: z.object({ event: z.string() }),
  problems: ['WEBHOOK_EVENTS_INVALID', 'PERMISSION_REQUIRED'],
});

/** An example event for the feed. `event` is its name in the catalog. */
export const feedExampleCreated = event({
  id: 'webhook_example.created',
  modules: [],
  needs: NEEDS,
  payload: z.object({ event: z.string(), payload: z.record(z.string(), z.unknown()) }),
});
