/**
 * What somebody who is signed in has to do first, and which addresses stay open until then. Pure, so that it can be tested as a table; the routes
 * ask before every page.
 */
import { CHANGE_PHONE, EXPIRED, MY_USER, PHONE_VERIFICATION, SECURITY } from '../../paths.ts';
import type { Session } from './state.ts';

const within = (path: string, roots: readonly string[]): boolean =>
  roots.some((root) => path === root || path.startsWith(`${root}/`));

/** Where to go instead, or null. */
export function gateRedirect({ user, account }: Pick<Session, 'user' | 'account'>, path: string): string | null {
  if (within(path, ['/logout'])) return null;
  if (user.pending === 'phone') return path === PHONE_VERIFICATION ? null : PHONE_VERIFICATION;
  if (user.pending === 'second_factor') return path === SECURITY ? null : SECURITY;
  if (account.trial_period_expired && !within(path, [EXPIRED, '/add-funds', MY_USER, CHANGE_PHONE])) return EXPIRED;
  return null;
}

/** What only the person may do stays closed to whoever acts in their name. */
export const personReason = ({ user }: { user: Pick<Session['user'], 'impersonation'> }): string | null =>
  user.impersonation ? 'Only the person themselves can do this.' : null;

/** Why everything else is closed meanwhile. */
export function pendingReason({ user }: Pick<Session, 'user'>): string | null {
  if (user.pending === 'phone') return 'Verify your phone number first.';
  return user.pending === 'second_factor' ? 'Set up a second factor first.' : null;
}
