/** Reads the event feed, and continues where it left off after a lost connection. */
import { type EventPage, type Parley, ParleyError } from '@parley/sdk';
import type { Output } from './output.ts';
import { reason } from './problems.ts';
import { sleep } from './time.ts';

export type FeedEvent = EventPage['events'][number];

/** How long the server waits for an event. */
const WAIT_SECONDS = 20;
/** A connection that stays silent for longer is lost. The client needs this timeout. */
export const FOLLOW_TIMEOUT_MS = (WAIT_SECONDS + 15) * 1_000;
const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 10_000;
const TEMPORARY: ReadonlySet<number> = new Set([0, 408, 425, 429]);
/** The events after the cursor are no longer stored. */
const EXPIRED = 2136;

const isTemporary = (error: unknown): error is ParleyError =>
  error instanceof ParleyError && (TEMPORARY.has(error.status) || error.status >= 500);

interface Following {
  parley: Parley;
  /** A cursor or a time. Without it, only new events are read. */
  after: string | undefined;
  signal: AbortSignal;
  output: Output;
}

export async function* follow({ parley, after, signal, output }: Following): AsyncGenerator<EventPage, void> {
  let cursor = after;
  let retry = FIRST_RETRY_MS;
  let isLost = false;
  while (!signal.aborted) {
    try {
      const query = cursor === undefined ? {} : { after: cursor, wait_seconds: WAIT_SECONDS };
      const page = await parley.webhooks.list_events({ query, signal });
      if (isLost) output.note('Reconnected.');
      isLost = false;
      retry = FIRST_RETRY_MS;
      cursor = page.cursor;
      yield page;
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ParleyError && error.code === EXPIRED && cursor !== undefined) {
        output.note(`The events after ${cursor} are no longer stored. Continuing with new events.`);
        cursor = undefined;
        continue;
      }
      if (!isTemporary(error)) throw error;
      if (!isLost) output.note(`${error.message}${reason(error.cause)}. Reconnecting…`);
      isLost = true;
      await sleep(retry * (0.5 + Math.random()), signal);
      retry = Math.min(retry * 2, LAST_RETRY_MS);
    }
  }
}
