import type { ReactElement } from 'react';
import { Disabled } from '../../ui/feedback/Disabled.tsx';
import { type Requirement, useReason } from './session.tsx';

export interface AllowProps {
  /** The endpoint of what the control does, or its `needs`. */
  needs: Requirement;
  /** Another reason why it cannot be used now. */
  reason?: string | null | undefined;
  children: ReactElement<Record<string, unknown>>;
}

/** A control for those who may; for the others it stays, disabled, and says why. */
export function Allow({ needs, reason, children }: AllowProps) {
  const missing = useReason(needs);
  return <Disabled reason={missing ?? reason}>{children}</Disabled>;
}
