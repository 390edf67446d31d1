/**
 * `await confirm({...})` asks before something is lost. The title names the thing, `loses` says what goes with it, the button says what
 * will happen. Mounted once by Look; asking twice at once answers the first with no.
 */
import { lazy, type ReactNode, Suspense, useRef, useSyncExternalStore } from 'react';

export interface ConfirmRequest {
  /** "Delete the audience Spring customers?" */
  title: string;
  /** What will be lost or happen, plainly. */
  consequence: ReactNode;
  /** "Delete audience" */
  action: string;
  danger?: boolean;
  /** Must be typed before the button works: for what cannot be undone at all. */
  typed?: string;
  cancel?: string;
}

export interface PendingConfirm extends ConfirmRequest {
  answer: (yes: boolean) => void;
}

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

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

// The dialog's code comes with the first question.
const ConfirmDialog = lazy(() => import('./ConfirmDialog.tsx'));

export function ConfirmHost() {
  const request = useSyncExternalStore(subscribe, () => pending);
  const asked = useRef(false);
  if (request) asked.current = true;
  return asked.current ? (
    <Suspense>
      <ConfirmDialog request={request} />
    </Suspense>
  ) : null;
}
