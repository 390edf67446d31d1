/** The bulk jobs whose result this tab shows: those that it has started or seen in progress. */
import { useSyncExternalStore } from 'react';

let watched: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();

function setWatched(next: ReadonlySet<string>): void {
  watched = next;
  for (const listener of listeners) listener();
}

export function watchJob(id: string): void {
  if (!watched.has(id)) setWatched(new Set([...watched, id]));
}

/** The user has read the result. */
export const dismissJob = (id: string): void => setWatched(new Set([...watched].filter((other) => other !== id)));

export const useWatchedJobs = (): ReadonlySet<string> =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => watched,
  );
