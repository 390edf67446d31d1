/**
 * The live stream in the browser: one connection a tab, resumed after its last time, silent ones noticed. By default an event marks the
 * queries of its modules stale (at most about twice a second each); `onLive` is for patches where that was measured to be too slow.
 */
import type { AnyEventType, LiveEvent } from '@parley/contract/event.ts';
import type { QueryClient } from '@tanstack/react-query';
import { createParser } from 'eventsource-parser';
import type { z } from 'zod';
import { refusal } from './client.ts';
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
  const session = crypto.randomUUID();
  const stopping = new AbortController();
  const marked = new Map<string, ReturnType<typeof setTimeout>>();
  let last: string | null = null;

  const markStale = (module: string) => {
    if (marked.has(module)) return;
    // The first event acts at once, those that follow it wait together.
    void client.invalidateQueries({ queryKey: [module] });
    marked.set(
      module,
      setTimeout(() => {
        marked.delete(module);
        if (again.delete(module)) markStale(module);
      }, STALE_EVERY_MS),
    );
  };
  const again = new Set<string>();

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
    for (const module of event.modules ?? []) {
      if (marked.has(module)) again.add(module);
      else markStale(module);
    }
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
      if (!response.ok || !response.body) {
        const error = await refusal(response);
        if (error.status === 401 || error.status === 403) {
          options.onSignedOut?.();
          return false;
        }
        return true;
      }
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
      for (const timer of marked.values()) clearTimeout(timer);
    },
  };
}
