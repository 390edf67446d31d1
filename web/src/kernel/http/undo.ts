/**
 * Removals that the user can undo for five seconds. The record disappears from the lists immediately; the request is
 * sent when the five seconds are over. A tab that closes in the meantime, or a user who signs out, sends it at that
 * moment.
 */
import type { AnyEndpoint } from '@parley/contract/endpoint.ts';
import { endpointModule } from '@parley/contract/endpoint.ts';
import { useSyncExternalStore } from 'react';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { ApiError, type CallInput, call } from './client.ts';
import { queryClient, toastError } from './query.ts';

const UNDO_MS = 5_000;

interface Removal<E extends AnyEndpoint> {
  /** The record's id. Lists leave it out while the removal is pending. */
  id: string;
  endpoint: E;
  input: CallInput<E>;
  /** "Ann Miller was removed." */
  message: string;
  /** Modules whose queries the removal changes, besides the endpoint's own. */
  invalidates?: readonly string[];
  /** Called after the user has undone the removal, or the server has refused it. */
  onRestore?: () => void;
}

interface Pending {
  timer: ReturnType<typeof setTimeout>;
  send: (keepalive: boolean) => Promise<void>;
}

let hiddenIds: ReadonlySet<string> = new Set();
const pending = new Map<string, Pending>();
const listeners = new Set<() => void>();
function setHidden(id: string, isHidden: boolean): void {
  const next = new Set(hiddenIds);
  if (isHidden) next.add(id);
  else next.delete(id);
  hiddenIds = next;
  for (const listener of listeners) listener();
}

/** The ids of the records that are being removed. Every list leaves them out. */
export const useHiddenIds = (): ReadonlySet<string> =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => hiddenIds,
  );

export function removeWithUndo<E extends AnyEndpoint>(removal: Removal<E>): void {
  const { id, endpoint, input, message, invalidates = [], onRestore } = removal;
  if (pending.has(id)) return;
  const toastId = `undo.${id}`;
  const send = async (keepalive: boolean) => {
    pending.delete(id);
    try {
      await call(endpoint, input, keepalive ? { keepalive } : {}).catch(ignoreMissing);
      // The row stays hidden until the lists have been loaded again.
      await Promise.all(
        [endpointModule(endpoint.id), ...invalidates].map((module) =>
          queryClient.invalidateQueries({ queryKey: [module] }),
        ),
      );
    } catch (error) {
      onRestore?.();
      toastError(error);
    } finally {
      setHidden(id, false);
    }
  };
  const undo = () => {
    const waiting = pending.get(id);
    if (!waiting) return;
    clearTimeout(waiting.timer);
    pending.delete(id);
    setHidden(id, false);
    onRestore?.();
  };
  pending.set(id, { timer: setTimeout(() => void send(false), UNDO_MS), send });
  setHidden(id, true);
  toast.success(message, { id: toastId, autoClose: UNDO_MS, action: { label: 'Undo', run: undo } });
}

/** A record that is already gone needs no removal. */
function ignoreMissing(error: unknown): void {
  if (!(error instanceof ApiError && error.status === 404)) throw error;
}

/** Sends pending calls immediately, before the tab closes or the session ends. */
export function flushRemovals(): void {
  for (const { timer, send } of [...pending.values()]) {
    clearTimeout(timer);
    void send(true);
  }
}
if (globalThis.document) window.addEventListener('pagehide', flushRemovals);
