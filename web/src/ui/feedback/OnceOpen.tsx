import { type ReactNode, Suspense, useEffect, useState } from 'react';

interface OnceOpenProps {
  open: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** Renders a lazy panel when it first opens, and keeps it, so that it can slide out when it closes. */
export function OnceOpen({ open, onClose, children }: OnceOpenProps) {
  const [hasOpened, setHasOpened] = useState(open);
  if (open && !hasOpened) setHasOpened(true);
  return hasOpened && <Suspense fallback={open && <Loading onClose={onClose} />}>{children}</Suspense>;
}

/** Esc closes a panel whose code is still loading. */
function Loading({ onClose }: { onClose: () => void }) {
  useEffect(() => {
    const closeOnEscape = (event: KeyboardEvent) => event.key === 'Escape' && onClose();
    document.addEventListener('keydown', closeOnEscape);
    return () => document.removeEventListener('keydown', closeOnEscape);
  }, [onClose]);
  return null;
}
