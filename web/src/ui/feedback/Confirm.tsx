/**
 * `await confirm({...})` asks for confirmation before something is lost. The title names the object, `consequence`
 * states what else is lost, and the button repeats the verb. ThemeProvider mounts the dialog once. A second request
 * cancels the first.
 */
import { Suspense, useRef, useSyncExternalStore } from 'react';
import type { ConfirmRequest, PendingConfirm } from './confirm_request.ts';
import { lazyPart } from './lazy_part.ts';

let pending: PendingConfirm | null = null;
const listeners = new Set<() => void>();
const changed = () => {
  for (const listener of listeners) listener();
};

export function confirm(request: ConfirmRequest): Promise<boolean> {
  pending?.answer(false);
  return new Promise((resolve) => {
    pending = {
      ...request,
      answer: (yes) => {
        pending = null;
        changed();
        resolve(yes);
      },
    };
    changed();
  });
}

/** Answers an open request with no. */
export const cancelConfirm = (): void => pending?.answer(false);

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

// The dialog's code is loaded with the first request.
const ConfirmDialog = lazyPart(() => import('./ConfirmDialog.tsx'));

export function ConfirmHost() {
  const request = useSyncExternalStore(subscribe, () => pending);
  const isNeeded = useRef(false);
  if (request) isNeeded.current = true;
  return isNeeded.current ? (
    <Suspense>
      <ConfirmDialog request={request} />
    </Suspense>
  ) : null;
}
