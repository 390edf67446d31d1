/**
 * The user's session, in one of four states: `unknown` (loading), `out`, `in`, and `limited` (rate-limited while
 * starting). Calls report session errors (401, blocked, rate limit) here as announcements; no other code reacts to
 * them.
 */

import type { SignIn } from '@parley/contract/auth/auth.ts';
import type { AnyEndpoint } from '@parley/contract/endpoint.ts';
import { type Needs, needReason, permits } from '@parley/contract/permission.ts';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react';
import { brandName } from '../../ui/brand.ts';
import { ZoneProvider } from '../../ui/data/zone.ts';
import { ApiError, call, callWithBasic } from '../http/client.ts';
import { queryClient } from '../http/query.ts';
import {
  clearImpersonationToken,
  clearToken,
  isImpersonating,
  readToken,
  rememberLocation,
  setLandingPath,
  writeImpersonationToken,
  writeToken,
} from '../http/token.ts';
import { flushRemovals } from '../http/undo.ts';
import type { LiveState } from '../live/live.ts';
import { forgetRecords } from './forget.ts';
import { pendingReason, personReason } from './gates.ts';
import {
  type Entry,
  type Leave,
  type Profile,
  useAnnouncements,
  useEntry,
  useLiveStream,
  useOtherTabs,
  useProfile,
  useSessionBrand,
} from './session_effects.ts';
import type { Session, State } from './state.ts';

interface SessionContext {
  state: State;
  /** Checks email and password. The caller then starts the session with `begin`, or first shows a required step. */
  signIn(email: string, password: string): Promise<SignIn>;
  /** Starts a session with a token. */
  begin(token: string): void;
  signOut(): Promise<void>;
  /** Acts as another user in this tab only; `endImpersonation` returns to the user's own session. */
  startImpersonation(access_token: string): void;
  endImpersonation(): Promise<void>;
}

const Context = createContext<SessionContext | null>(null);
/** Provides a fixed session to parts of the app that are shown without a server. */
export const FixedSession = Context;

export const isAdminHost = (host: string = window.location.hostname): boolean => /^admin[.-]/.test(host);

/** `session_id` is the key of an impersonated session, taken from the URL. */
export function SessionProvider({ session_id = null, children }: { session_id?: string | null; children: ReactNode }) {
  const [token, setToken] = useState(() => (session_id ? null : readToken()));
  const [notice, setNotice] = useState<string | null>(null);
  const { account, user } = useProfile(token);

  const leave = useCallback<Leave>((nextNotice, remember) => {
    flushRemovals();
    // Ending an impersonation keeps the user's own session.
    if (isImpersonating()) clearImpersonationToken();
    else {
      if (remember) rememberLocation();
      clearToken();
    }
    queryClient.clear();
    setNotice(nextNotice);
    setToken(readToken());
  }, []);

  const startImpersonation = useCallback((access_token: string) => {
    flushRemovals();
    writeImpersonationToken(access_token);
    queryClient.clear();
    setNotice(null);
    setToken(access_token);
  }, []);

  const begin = useCallback((access_token: string) => {
    flushRemovals();
    writeToken(access_token);
    setLandingPath();
    queryClient.clear();
    const stored = readToken();
    setToken(stored);
    setNotice(
      stored
        ? null
        : `You cannot sign in while ${brandName()} is embedded in another page. Open ${brandName()} in its own window.`,
    );
  }, []);

  const keepOwnSession = useCallback(() => setToken(readToken()), []);
  const entry = useEntry(session_id, startImpersonation, keepOwnSession);
  useAnnouncements(leave);
  useOtherTabs(token, setToken);
  const live = useLiveStream(token);

  const state = useMemo<State>(
    () =>
      toState({ entry, token, notice, live }, { account: account.data, user: user.data }, account.error ?? user.error),
    [entry, token, notice, account.data, account.error, user.data, user.error, live],
  );

  const fatal = [account.error, user.error].find(isFatal);
  useEffect(() => {
    if (fatal) leave(null, true);
  }, [fatal, leave]);

  const context = useMemo<SessionContext>(
    () => ({
      state,
      begin,
      signIn: async (email, password) => {
        const { signIn } = await import('@parley/contract/auth/auth.ts');
        return (await callWithBasic(signIn, email, password)).data;
      },
      signOut: () => signOut(leave),
      startImpersonation,
      endImpersonation: () => endImpersonation(leave),
    }),
    [state, begin, startImpersonation, leave],
  );
  useSessionBrand(token, account.data?.data.brand);
  const zone = state.kind === 'in' ? state.session.account.timezone : 'UTC';
  return (
    <Context value={context}>
      <ZoneProvider value={zone}>{children}</ZoneProvider>
    </Context>
  );
}

interface Facts {
  entry: Entry;
  token: string | null;
  notice: string | null;
  live: LiveState;
}
type ProfileData = { [Key in keyof Profile]: Profile[Key]['data'] };

function toState({ entry, token, notice, live }: Facts, profile: ProfileData, error: ApiError | null): State {
  if (entry === 'limited') return { kind: 'limited' };
  if (entry === 'pending') return { kind: 'unknown' };
  if (!token) return { kind: 'out', notice };
  // This applies only at startup. Later 429 responses are shown as toasts.
  if (!profile.account || !profile.user)
    return { kind: error instanceof ApiError && error.status === 429 ? 'limited' : 'unknown' };
  const [account, user] = [profile.account.data, profile.user.data];
  const admin = account.operator && isAdminHost();
  // Until the user completes the pending step, the server rejects every call that needs a permission.
  const permissions = user.pending ? {} : user.permissions;
  return { kind: 'in', session: { account, user, permissions, admin, live } };
}

/**
 * Other errors at startup lead back to sign-in, and the location is remembered. If the server is unavailable, startup
 * is retried. An announced error has already been handled for the session it belongs to.
 */
const isFatal = (error: ApiError | null): boolean =>
  error instanceof ApiError && !error.announced && error.status >= 400 && error.status !== 429 && error.status < 500;

async function signOut(leave: Leave): Promise<void> {
  // The tab signs out before the server confirms. Otherwise, the sign-out event would make its pages refetch with an
  // invalid token.
  const headers = { authorization: `Bearer ${readToken()}` };
  leave(null, true);
  forgetRecords();
  await import('@parley/contract/auth/auth.ts')
    .then(({ signOut: endpoint }) => call(endpoint, {}, { headers }))
    .catch(() => {});
}

async function endImpersonation(leave: Leave): Promise<void> {
  const headers = { authorization: `Bearer ${readToken()}` };
  leave(null, false);
  const { endImpersonation: endpoint } = await import('@parley/contract/admin/customers.ts');
  // `keepalive` lets the request complete even when the tab is closed.
  await call(endpoint, {}, { headers, keepalive: true }).catch(() => {});
}

export function useSessionContext(): SessionContext {
  const context = useContext(Context);
  if (!context) throw new Error('useSession requires a SessionProvider');
  return context;
}

/** The session, for pages that require sign-in. */
export function useSession(): Session {
  const { state } = useSessionContext();
  if (state.kind !== 'in') throw new Error('no session');
  return state.session;
}

/** An endpoint, or its `needs`. */
export type Requirement = Needs | 'public' | Pick<AnyEndpoint, 'needs' | 'audience'> | null | undefined;

/**
 * Why the user does not meet the requirement; null if they do. Endpoints also define which actions are reserved for the
 * actual user.
 */
export function useReason(requirement: Requirement): string | null {
  const { state } = useSessionContext();
  if (state.kind !== 'in' || !requirement) return null;
  const endpoint = typeof requirement === 'object' && 'needs' in requirement ? requirement : null;
  const needs = endpoint ? endpoint.needs : (requirement as Needs | 'public');
  if (needs && needs !== 'public' && !permits(state.session.permissions, needs))
    return pendingReason(state.session) ?? needReason(needs);
  return endpoint?.audience === 'person' ? personReason(state.session) : null;
}
