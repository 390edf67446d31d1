/**
 * The steps that a signed-in user must complete first, and the paths that stay open until then. Kept pure so that a
 * table of cases can test it; the routes run this check before every page.
 */
import { ADD_FUNDS, CHANGE_PHONE, EXPIRED, MY_USER, PHONE_VERIFICATION, SECURITY } from '../../paths.ts';
import type { Session } from './state.ts';

const isWithin = (path: string, roots: readonly string[]): boolean =>
  roots.some((root) => path === root || path.startsWith(`${root}/`));

/** The path of the pending step; null if `path` is open. */
export function gateRedirect({ user, account }: Pick<Session, 'user' | 'account'>, path: string): string | null {
  if (isWithin(path, ['/logout'])) return null;
  if (user.pending === 'phone') return path === PHONE_VERIFICATION ? null : PHONE_VERIFICATION;
  if (user.pending === 'second_factor') return path === SECURITY ? null : SECURITY;
  if (account.trial_period_expired && !isWithin(path, [EXPIRED, ADD_FUNDS, MY_USER, CHANGE_PHONE])) return EXPIRED;
  return null;
}

/** Why an impersonated session may not perform an action that is reserved for the actual user. */
export const personReason = ({ user }: { user: Pick<Session['user'], 'impersonation'> }): string | null =>
  user.impersonation ? 'Not available while you act as another user.' : null;

/** Why all other pages are closed until the user completes the pending step. */
export function pendingReason({ user }: Pick<Session, 'user'>): string | null {
  if (user.pending === 'phone') return 'Verify your phone number first.';
  return user.pending === 'second_factor' ? 'Set up two-factor authentication first.' : null;
}
