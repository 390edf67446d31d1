/**
 * The server's event stream. When the stream ends or falls silent, it reconnects and resumes after the last event,
 * until the server rejects the token.
 */
import type { LiveEvent } from '@parley/contract/event.ts';
import { toApiError } from '../http/client.ts';
import { reportNoResponse, reportResponse } from '../http/connection.ts';
import { readToken } from '../http/token.ts';

const RETRY_MS = 2_000;
/** The server sends a heartbeat every ten seconds; after three missed heartbeats, the connection is considered dead. */
export const SILENCE_MS = 30_000;

export type LiveState = 'connecting' | 'open' | 'waiting';

export interface Stream {
  url: string;
  token: string;
  session: string;
  /** The timestamp of the last event, from which the stream resumes. */
  last: () => string | null;
  onEvent: (event: LiveEvent) => void;
  onState: (state: LiveState) => void;
}

/**
 * Keeps the stream open. Returns `rejected` when the token is invalid or is no longer this page's token, and `stopped`
 * when aborted.
 */
export async function holdStream(stream: Stream, stopping: AbortSignal): Promise<'rejected' | 'stopped'> {
  while (!stopping.aborted) {
    // A newer session has its own stream.
    if (readToken() !== stream.token) return 'rejected';
    if ((await readOnce(stream, stopping)) === 'rejected') return 'rejected';
    if (stopping.aborted) break;
    stream.onState('waiting');
    // The jitter keeps clients from reconnecting to a restarted server all at once.
    await pause(RETRY_MS + Math.random() * 500, stopping);
  }
  return 'stopped';
}

async function readOnce(
  { url, token, session, last, ...handlers }: Stream,
  stopping: AbortSignal,
): Promise<'rejected' | 'ended'> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), SILENCE_MS);
  const resetTimer = () => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), SILENCE_MS);
  };
  let hasResponse = false;
  try {
    // The page does not wait for the parser. If the request fails before it has loaded, nothing awaits it.
    const parsing = import('eventsource-parser');
    parsing.catch(() => undefined);
    handlers.onState('connecting');
    const from = last();
    const response = await fetch(`${url}/v1/events${from ? `?last_event_time=${encodeURIComponent(from)}` : ''}`, {
      headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream', 'x-session-id': session },
      signal: AbortSignal.any([stopping, silence.signal]),
      cache: 'no-store',
    });
    hasResponse = true;
    reportResponse(response.status);
    if (response.status === 401 || response.status === 403) {
      await toApiError(response, undefined, `Bearer ${token}`);
      return 'rejected';
    }
    // Other errors are retried without a message, since the top bar already shows that the connection is down.
    if (!response.ok || !response.body) return 'ended';
    handlers.onState('open');
    const parser = (await parsing).createParser({
      onEvent: ({ data }) => {
        if (!stopping.aborted) handlers.onEvent(JSON.parse(data) as LiveEvent);
      },
    });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return 'ended';
      resetTimer();
      parser.feed(value);
    }
  } catch {
    if (!hasResponse && !stopping.aborted) reportNoResponse();
    return 'ended';
  } finally {
    clearTimeout(timer);
  }
}

const pause = (ms: number, stopping: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    stopping.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
