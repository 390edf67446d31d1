/**
 * The live stream in the browser: one connection a tab, resumed after its last time, silent ones noticed. By default an event marks the
 * queries of its modules stale (at most about twice a second each); `onLive` is for patches where that was measured to be too slow.
 */
import type { AnyEventType, LiveEvent } from '@parley/contract/event.ts';
import type { QueryClient } from '@tanstack/react-query';
import { createParser } from 'eventsource-parser';
import type { z } from 'zod';
import { firstHeard, refusal } from './client.ts';
import { randomId } from './random.ts';
import { readToken } from './token.ts';

const RETRY_MS = 2_000;
/** The server speaks every ten seconds; three times that is a dead line. */
const SILENCE_MS = 30_000;
const STALE_EVERY_MS = 500;

export type LiveState = 'connecting' | 'open' | 'waiting';

type Listener = (event: LiveEvent) => void;
const listeners = new Map<string, Set<Listener>>();

/** Hears one kind of event; returns the way out. With `instead`, the event's modules are not marked stale as well. */
export function onLive<P extends z.ZodType>(
  type: { id: string; payload: P },
  listener: (payload: z.output<P>, event: LiveEvent) => void,
): () => void {
  const heard: Listener = (event) => listener(event.data as z.output<P>, event);
  const set = listeners.get(type.id) ?? new Set();
  listeners.set(type.id, set.add(heard));
  return () => set.delete(heard);
}

/** Kinds whose patches keep the cache right, so that nothing has to be fetched again. */
const patched = new Set<string>();
export function patchesCache(...types: readonly AnyEventType[]): void {
  for (const type of types) patched.add(type.id);
}

export interface LiveConnection {
  stop(): void;
}

export function connectLive(
  client: QueryClient,
  options: { onState?: (state: LiveState) => void; onSignedOut?: () => void; url?: string } = {},
): LiveConnection {
  const session = randomId();
  const stopping = new AbortController();
  const busy = new Set<string>();
  const again = new Set<string>();
  // What was loaded before the stream opened must not miss what happened in between.
  let last: string | null = startingPoint();

  // The first event acts at once; those that come while its queries are being fetched, or shortly after, act together. Waiting for the answers
  // keeps a burst of events from canceling every fetch before it ends.
  const markStale = (module: string) => {
    if (busy.has(module)) {
      again.add(module);
      return;
    }
    busy.add(module);
    // A first fetch under way is not begun anew, and what it brings may be older than the event: it is asked for once more.
    const first = client.getQueryCache().findAll({ queryKey: [module], fetchStatus: 'fetching' });
    if (first.some(({ state }) => state.data === undefined)) again.add(module);
    const fetched = client.invalidateQueries({ queryKey: [module] });
    const pause = new Promise((resolve) => setTimeout(resolve, STALE_EVERY_MS));
    void Promise.all([fetched.catch(() => {}), pause]).then(() => {
      busy.delete(module);
      if (again.delete(module) && !stopping.signal.aborted) markStale(module);
    });
  };
  const take = (event: LiveEvent) => {
    if (event.event_type === 'heartbeat') return;
    if (event.event_type === 'resync') {
      last = null;
      void client.invalidateQueries();
      return;
    }
    last = event.timestamp;
    for (const listener of listeners.get(event.event_type) ?? []) listener(event);
    if (patched.has(event.event_type)) return;
    for (const module of event.modules ?? []) markStale(module);
  };

  const once = async () => {
    const token = readToken();
    if (!token) return false;
    const silence = new AbortController();
    let timer = setTimeout(() => silence.abort(), SILENCE_MS);
    const alive = () => {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE_MS);
    };
    try {
      options.onState?.('connecting');
      const query = last ? `?last_event_time=${encodeURIComponent(last)}` : '';
      const response = await fetch(`${options.url ?? ''}/v1/events${query}`, {
        headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream', 'x-session-id': session },
        signal: AbortSignal.any([stopping.signal, silence.signal]),
        cache: 'no-store',
      });
      if (response.status === 401 || response.status === 403) {
        await refusal(response, undefined, `Bearer ${token}`);
        options.onSignedOut?.();
        return false;
      }
      // Anything else is tried again without a word to anybody: the top bar says that the connection is down.
      if (!response.ok || !response.body) return true;
      options.onState?.('open');
      const parser = createParser({ onEvent: ({ data }) => take(JSON.parse(data) as LiveEvent) });
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (;;) {
        const { value, done } = await reader.read();
        if (done) return true;
        alive();
        parser.feed(value);
      }
    } catch {
      return true;
    } finally {
      clearTimeout(timer);
    }
  };

  void (async () => {
    while (!stopping.signal.aborted && (await once())) {
      if (stopping.signal.aborted) return;
      options.onState?.('waiting');
      // A little apart, so that a restarted server is not met by everybody in the same moment.
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS + Math.random() * 500));
    }
  })();

  return {
    stop() {
      stopping.abort();
    },
  };
}

/** A few seconds before the server's first answer, so that a step between its clocks cannot open a gap; an event heard twice does no harm. */
function startingPoint(): string | null {
  const heard = firstHeard();
  return heard && new Date(Date.parse(heard) - 5_000).toISOString().slice(0, 19).replace('T', ' ');
}
