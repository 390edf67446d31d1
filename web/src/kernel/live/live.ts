/**
 * The live stream in the browser: one connection for all tabs of a session, resumed after its last time, silent ones noticed. By default an event
 * marks the queries of its modules stale (at most about twice a second each); `onLive` is for patches where that was measured to be too slow.
 */
import type { AnyEventType, LiveEvent } from '@parley/contract/event.ts';
import type { QueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { firstHeard } from '../http/client.ts';
import { readToken } from '../http/token.ts';
import { randomId } from '../random.ts';
import { holdStream, type LiveState, type Stream } from './live_stream.ts';
import { shareStream } from './live_tabs.ts';

const STALE_EVERY_MS = 500;

export type { LiveState } from './live_stream.ts';

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
  options: { onState?: (state: LiveState) => void; url?: string; patience_ms?: number } = {},
): LiveConnection {
  const stopping = new AbortController();
  const busy = new Set<string>();
  const again = new Set<string>();
  // What was loaded before the stream opened must not miss what happened in between.
  let last: string | null = startingPoint();
  // A place that was known and is not any more.
  let astray = false;

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
  const missed = () => void client.invalidateQueries();
  const take = (event: LiveEvent) => {
    if (event.event_type === 'heartbeat' || stopping.signal.aborted) return;
    if (event.event_type === 'resync') {
      last = null;
      astray = true;
      missed();
      return;
    }
    last = event.timestamp;
    // What happened between the answer without a place and this connection was told to nobody.
    if (event.event_type === 'connection.ok' && astray) missed();
    astray = false;
    for (const listener of listeners.get(event.event_type) ?? []) listener(event);
    if (patched.has(event.event_type)) return;
    for (const module of event.modules ?? []) markStale(module);
  };

  const token = readToken();
  const onState = (state: LiveState) => {
    if (!stopping.signal.aborted) options.onState?.(state);
  };
  if (token) {
    const stream = { url: options.url ?? '', token, session: randomId(), last: () => last };
    const own = () => holdStream({ ...stream, onEvent: take, onState }, stopping.signal);
    void sharedName(token).then((name) => {
      if (!name) return own();
      const tab = {
        last: stream.last,
        goOn: (time: string) => {
          last = time;
        },
        take,
        missed,
        onState,
        hold: (said: Pick<Stream, 'onEvent' | 'onState'>, leaving: AbortSignal) =>
          holdStream({ ...stream, ...said }, leaving),
        patience_ms: options.patience_ms,
      };
      return shareStream(name, tab, stopping.signal).catch(own);
    });
  }
  return {
    stop() {
      stopping.abort();
    },
  };
}

/** One name for each session: who signs in as somebody else never hears this one. Null where tabs cannot share, as on plain HTTP. */
async function sharedName(token: string): Promise<string | null> {
  if (!globalThis.navigator?.locks || typeof BroadcastChannel === 'undefined' || !globalThis.crypto?.subtle)
    return null;
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token)));
  return `parley.live.${Array.from(digest.subarray(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** A few seconds before the server's first answer, so that a step between its clocks cannot open a gap; an event heard twice does no harm. */
function startingPoint(): string | null {
  const heard = firstHeard();
  return heard && new Date(Date.parse(heard) - 5_000).toISOString().slice(0, 19).replace('T', ' ');
}
