/** The live stream of events. */
import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

/**
 * Server-sent events. Each has `event_type`, `timestamp`, and `data`. `connection.ok` comes first, with the session ID,
 * `heartbeat` every 10 s, and `resync` if the requested position is no longer stored. `timestamp` is the position after
 * which a stream can resume. It strictly increases with the events. A heartbeat has the current position.
 */
export const streamEvents = endpoint({
  id: 'events.stream',
  method: 'GET',
  path: '/v1/events',
  summary: 'Stream the account’s live events; `last_event_time` resumes a stream',
  needs: null,
  audience: 'session',
  unattended: true,
  query: z.object({ last_event_time: z.string().max(40).optional() }),
  raw: 'text/event-stream',
  output: z.null(),
  problems: ['TOKEN_INVALID', 'VALUE_INVALID', 'STREAMS_LIMIT_EXCEEDED'],
});
