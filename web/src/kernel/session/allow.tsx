import type { ReactElement } from 'react';
import { Disabled } from '../../ui/feedback/Disabled.tsx';
import { type Requirement, useReason } from './session.tsx';

interface AllowProps {
  /** The endpoint that the control calls, or its `needs`. */
  needs: Requirement;
  /** An additional reason why the control is disabled. */
  reason?: string | null | undefined;
  children: ReactElement<Record<string, unknown>>;
}

/** A control that requires a permission. Without the permission it stays visible but disabled, and shows the reason. */
export function Allow({ needs, reason, children }: AllowProps) {
  const missing = useReason(needs);
  return <Disabled reason={missing ?? reason}>{children}</Disabled>;
}
