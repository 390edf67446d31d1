/** One long answer of the server: opened again whenever it ends or falls silent, after the last time that was heard, until the token is refused. */
import type { LiveEvent } from '@parley/contract/event.ts';
import { createParser } from 'eventsource-parser';
import { refusal } from '../http/client.ts';
import { readToken } from '../http/token.ts';

const RETRY_MS = 2_000;
/** The server speaks every ten seconds; three times that is a dead line. */
export const SILENCE_MS = 30_000;

export type LiveState = 'connecting' | 'open' | 'waiting';

export interface Stream {
  url: string;
  token: string;
  session: string;
  /** Where to go on: the time of the last event. */
  last: () => string | null;
  onEvent: (event: LiveEvent) => void;
  onState: (state: LiveState) => void;
}

/** Ends with `refused` when the token is no good, or no longer this page's; with `stopped` when it was told to. */
export async function holdStream(stream: Stream, stopping: AbortSignal): Promise<'refused' | 'stopped'> {
  while (!stopping.aborted) {
    // Another session has come meanwhile: it has a stream of its own.
    if (readToken() !== stream.token) return 'refused';
    if ((await once(stream, stopping)) === 'refused') return 'refused';
    if (stopping.aborted) break;
    stream.onState('waiting');
    // A little apart, so that a restarted server is not met by everybody in the same moment.
    await pause(RETRY_MS + Math.random() * 500, stopping);
  }
  return 'stopped';
}

async function once(
  { url, token, session, last, ...told }: Stream,
  stopping: AbortSignal,
): Promise<'refused' | 'ended'> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), SILENCE_MS);
  const alive = () => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), SILENCE_MS);
  };
  try {
    told.onState('connecting');
    const from = last();
    const response = await fetch(`${url}/v1/events${from ? `?last_event_time=${encodeURIComponent(from)}` : ''}`, {
      headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream', 'x-session-id': session },
      signal: AbortSignal.any([stopping, silence.signal]),
      cache: 'no-store',
    });
    if (response.status === 401 || response.status === 403) {
      await refusal(response, undefined, `Bearer ${token}`);
      return 'refused';
    }
    // Anything else is tried again without a word to anybody: the top bar says that the connection is down.
    if (!response.ok || !response.body) return 'ended';
    told.onState('open');
    const parser = createParser({
      onEvent: ({ data }) => {
        if (!stopping.aborted) told.onEvent(JSON.parse(data) as LiveEvent);
      },
    });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return 'ended';
      alive();
      parser.feed(value);
    }
  } catch {
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
