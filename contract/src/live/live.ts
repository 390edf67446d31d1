/** The live stream of events. */
import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

/**
 * Server-sent events. Each carries `event_type`, `timestamp` and `data`; `connection.ok` comes first with the session id, `heartbeat` every 10 s,
 * `resync` when the asked position is no longer kept. `timestamp` is a position to resume after: it rises strictly with the events, and the
 * others carry that of the last event before them.
 */
export const streamEvents = endpoint({
  id: 'events.stream',
  method: 'GET',
  path: '/v1/events',
  summary: 'Live events of the account, resumable with last_event_time',
  needs: null,
  audience: 'session',
  unattended: true,
  query: z.object({ last_event_time: z.string().max(40).optional() }),
  raw: 'text/event-stream',
  output: z.null(),
  problems: ['TOKEN_INVALID', 'VALUE_INVALID'],
});
