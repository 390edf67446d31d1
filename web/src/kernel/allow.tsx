import type { Needs } from '@parley/contract/permission.ts';
import type { ReactElement } from 'react';
import { Disabled } from '../ui/Disabled.tsx';
import { useReason } from './session.tsx';

export interface AllowProps {
  /** Usually `endpoint.needs` of what the control does. */
  needs: Needs | 'public' | null | undefined;
  /** Another reason why it cannot be used now. */
  reason?: string | null | undefined;
  children: ReactElement<Record<string, unknown>>;
}

/** A control for those who may; for the others it stays, disabled, and says why. */
export function Allow({ needs, reason, children }: AllowProps) {
  const missing = useReason(needs === 'public' ? null : needs);
  return <Disabled reason={missing ?? reason}>{children}</Disabled>;
}
