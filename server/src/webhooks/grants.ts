/** A webhook sends only events that the user who chose them can view. */
import { needReason, permits } from '@parley/contract/permission.ts';
import { Problem } from '@parley/contract/problem.ts';
import { WEBHOOK_EVENTS } from '@parley/contract/webhooks/catalogue.ts';
import type { Actor } from '../kernel/security/auth.ts';

/** Throws PERMISSION_REQUIRED. */
export function requireGrantable(
  { permissions }: Actor,
  { event, events = [] }: { event?: string | undefined; events?: readonly string[] | undefined },
): void {
  const needs = WEBHOOK_EVENTS.filter(({ name }) => events.includes(name)).map(({ type }) => type.needs);
  const missing = [...needs, ...(event ? (['MESSAGES:view'] as const) : [])].find(
    (need) => !permits(permissions, need),
  );
  if (missing) throw new Problem('PERMISSION_REQUIRED', { message: needReason(missing) });
}
