/**
 * Whether the server can be reached: the browser's own network state, and the outcome of the requests. While it cannot
 * be reached, a small request is repeated at growing intervals. Afterward, everything that failed in the meantime is
 * loaded again.
 */
import { useSyncExternalStore } from 'react';

/** `offline`: this device has no network. `unreachable`: the network works, but the server does not respond. */
export type Connection = 'online' | 'offline' | 'unreachable';

/** A single lost request may be a coincidence. */
const MAX_FAILURES = 2;
const PROBE_PATH = '/livez';
const FIRST_PROBE_MS = 2_000;
const LAST_PROBE_MS = 15_000;
const PROBE_TIMEOUT_MS = 5_000;

let connection: Connection = isOffline() ? 'offline' : 'online';
let failures = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function isOffline(): boolean {
  return globalThis.navigator?.onLine === false;
}

function change(next: Connection): void {
  if (next === connection) return;
  connection = next;
  clearTimeout(timer);
  if (next === 'unreachable') scheduleProbe(FIRST_PROBE_MS);
  for (const listener of listeners) listener();
}

/** Called for every response of the server, whatever its status. */
export function reportResponse(status: number): void {
  // A proxy answers with these for a server that is down.
  if (status === 502 || status === 504) {
    reportNoResponse();
    return;
  }
  failures = 0;
  if (!isOffline()) change('online');
}

/** Called for every request that got no response. */
export function reportNoResponse(): void {
  failures++;
  if (isOffline()) change('offline');
  else if (failures >= MAX_FAILURES) change('unreachable');
}

function scheduleProbe(pause_ms: number): void {
  clearTimeout(timer);
  timer = setTimeout(() => {
    void probe().then((isReachable) => {
      if (!isReachable && connection === 'unreachable') scheduleProbe(Math.min(pause_ms * 2, LAST_PROBE_MS));
    });
  }, pause_ms);
}

/** Asks the server whether it is there; also on the user's request. */
export async function probe(): Promise<boolean> {
  try {
    const { status } = await fetch(PROBE_PATH, { cache: 'no-store', signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
    reportResponse(status);
  } catch {
    reportNoResponse();
  }
  return readConnection() === 'online';
}

const onNetwork = () => {
  failures = 0;
  // A network is not yet a server: the next response decides.
  if (isOffline()) change('offline');
  else if (connection === 'offline') void probe();
};
if (globalThis.document) for (const event of ['online', 'offline']) window.addEventListener(event, onNetwork);

export const readConnection = (): Connection => connection;

/** Calls the listener after each change; returns the function that stops it. */
export function onConnection(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useConnection = (): Connection => useSyncExternalStore(onConnection, readConnection);
