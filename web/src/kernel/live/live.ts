/**
 * The live stream in the browser: all tabs of a session share a single connection, which resumes after the last event
 * received. By default, an event marks the queries of its modules as stale, about twice per second at most. `onLive`
 * patches the cache directly and is reserved for cases where refetching proved too slow.
 */
import type { AnyEventType, LiveEvent } from '@parley/contract/event.ts';
import type { QueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { loadCodeEventually } from '../../ui/feedback/load_code.ts';
import { sessionStartTime } from '../http/client.ts';
import { readToken } from '../http/token.ts';
import { randomId } from '../random.ts';
import type { LiveState, Stream } from './live_stream.ts';

const STALE_EVERY_MS = 500;

const loadStreams = () => import('./live_tabs.ts');

export type { LiveState } from './live_stream.ts';

type Listener = (event: LiveEvent) => void;
const listeners = new Map<string, Set<Listener>>();

/** Listens for events of one type and returns the function that stops listening. */
export function onLive<P extends z.ZodType>(
  type: { id: string; payload: P },
  listener: (payload: z.output<P>, event: LiveEvent) => void,
): () => void {
  const onEvent: Listener = (event) => listener(event.data as z.output<P>, event);
  const set = listeners.get(type.id) ?? new Set();
  listeners.set(type.id, set.add(onEvent));
  return () => set.delete(onEvent);
}

/** Event types whose listeners patch the cache, so that nothing is fetched again. */
const patchedTypes = new Set<string>();
export function patchesCache(...types: readonly AnyEventType[]): void {
  for (const type of types) patchedTypes.add(type.id);
}

export interface LiveConnection {
  stop(): void;
}

export function connectLive(
  client: QueryClient,
  options: { onState?: (state: LiveState) => void; url?: string; holder_timeout_ms?: number } = {},
): LiveConnection {
  const stopping = new AbortController();
  // The event after which the stream starts. Null until the first response: the stream starts now.
  let last: string | null = startingPoint();
  // Set when the server no longer has the stream's position.
  let lostPosition = false;

  const markStale = createStaleMarker(client, stopping.signal);
  const refetchAll = () => void client.invalidateQueries();
  const receive = (event: LiveEvent) => {
    if (event.event_type === 'heartbeat' || stopping.signal.aborted) return;
    if (event.event_type === 'resync') {
      last = null;
      lostPosition = true;
      refetchAll();
      return;
    }
    last = event.timestamp;
    // The events between the lost position and this connection are unknown.
    if (event.event_type === 'connection.ok' && lostPosition) refetchAll();
    lostPosition = false;
    for (const listener of listeners.get(event.event_type) ?? []) listener(event);
    if (patchedTypes.has(event.event_type)) return;
    for (const module of event.modules ?? []) markStale(module);
  };

  const token = readToken();
  const onState = (state: LiveState) => {
    if (!stopping.signal.aborted) options.onState?.(state);
  };
  if (token) {
    const stream = { url: options.url ?? '', token, session: randomId(), last: () => last };
    // The first screen does not wait for the code of the stream.
    const code = loadCodeEventually(loadStreams, () => onState('waiting'));
    void Promise.all([code, readChannelName(token)]).then(([{ holdStream, shareStream }, name]) => {
      const openOwnStream = () => holdStream({ ...stream, onEvent: receive, onState }, stopping.signal);
      if (stopping.signal.aborted) return;
      // Responses may have arrived while the code was loading, so the stream starts before the first of them.
      last ??= startingPoint();
      if (!name) return openOwnStream();
      const tab = {
        last: stream.last,
        setPosition: (time: string) => {
          last = time;
        },
        receive,
        refetchAll,
        onState,
        hold: (handlers: Pick<Stream, 'onEvent' | 'onState'>, leaving: AbortSignal) =>
          holdStream({ ...stream, ...handlers }, leaving),
        holder_timeout_ms: options.holder_timeout_ms,
      };
      return shareStream(name, tab, stopping.signal).catch(openOwnStream);
    });
  }
  return {
    stop() {
      stopping.abort();
    },
  };
}

/**
 * Marks the queries of a module as stale. The first event takes effect immediately. Events that arrive while the
 * module's queries are being fetched, or shortly afterward, take effect together. Waiting for the responses keeps a
 * burst of events from canceling every fetch.
 */
function createStaleMarker(client: QueryClient, stopping: AbortSignal): (module: string) => void {
  const busy = new Set<string>();
  const pendingModules = new Set<string>();
  const markStale = (module: string) => {
    if (busy.has(module)) {
      pendingModules.add(module);
      return;
    }
    busy.add(module);
    // An initial fetch in progress is not restarted. Its data may be older than the event, so it is fetched again
    // afterward.
    const first = client.getQueryCache().findAll({ queryKey: [module], fetchStatus: 'fetching' });
    if (first.some(({ state }) => state.data === undefined)) pendingModules.add(module);
    const fetched = client.invalidateQueries({ queryKey: [module] });
    const pause = new Promise((resolve) => setTimeout(resolve, STALE_EVERY_MS));
    void Promise.all([fetched.catch(() => {}), pause]).then(() => {
      busy.delete(module);
      if (pendingModules.delete(module) && !stopping.aborted) markStale(module);
    });
  };
  return markStale;
}

/**
 * The name of the broadcast channel. Each session has its own, so that sessions never mix. Null if tabs cannot share a
 * stream, for example over plain HTTP.
 */
async function readChannelName(token: string): Promise<string | null> {
  if (!globalThis.navigator?.locks || typeof BroadcastChannel === 'undefined' || !globalThis.crypto?.subtle)
    return null;
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token)));
  return `parley.live.${Array.from(digest.subarray(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/**
 * Starts a few seconds before the first response, to allow for differences between server clocks. Receiving an event
 * twice does no harm.
 */
function startingPoint(): string | null {
  const start = sessionStartTime();
  return start && new Date(Date.parse(start) - 5_000).toISOString().slice(0, 19).replace('T', ' ');
}
