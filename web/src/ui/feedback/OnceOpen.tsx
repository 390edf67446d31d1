import { type ReactNode, Suspense, useLayoutEffect, useState } from 'react';

interface OnceOpenProps {
  open: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** Renders a lazy panel when it first opens, and keeps it, so that it can slide out when it closes. */
export function OnceOpen({ open, onClose, children }: OnceOpenProps) {
  const [hasOpened, setHasOpened] = useState(open);
  if (open && !hasOpened) setHasOpened(true);
  useEarlyEscape(open, onClose);
  return hasOpened && <Suspense>{children}</Suspense>;
}

const SHOWN = '[data-panel], [aria-modal="true"]';

/** Esc closes a panel that is not there yet, because its code is loading or because it is drawn after the page. */
function useEarlyEscape(open: boolean, onClose: () => void): void {
  useLayoutEffect(() => {
    if (!open) return;
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented && !document.querySelector(SHOWN)) onClose();
    };
    document.addEventListener('keydown', closeOnEscape);
    return () => document.removeEventListener('keydown', closeOnEscape);
  }, [open, onClose]);
}
