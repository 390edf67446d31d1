/**
 * Who is signed in. One of four states: unknown (a loader), out, in, and `limited` (the request limit hit while starting). What a call says about
 * the session (401, blocked, too many) arrives here as an announcement; nobody else reacts to it.
 */
import type { SignIn } from '@parley/contract/auth/auth.ts';
import type { AnyEndpoint } from '@parley/contract/endpoint.ts';
import { type Needs, needReason, permits } from '@parley/contract/permission.ts';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react';
import { ZoneProvider } from '../../ui/data/zone.ts';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { ApiError, call, callWithBasic, onAnnouncement } from '../http/client.ts';
import { ENTRY_REFUSED, exchange } from '../http/entry.ts';
import { queryClient, useLaterEndpoint } from '../http/query.ts';
import {
  clearEnteredToken,
  clearToken,
  isEntered,
  landHere,
  onTokenChange,
  readToken,
  rememberLocation,
  signOutHere,
  wasRenewed,
  writeEnteredToken,
  writeToken,
} from '../http/token.ts';
import type { LiveState } from '../live/live.ts';
import { pendingReason, personReason } from './gates.ts';
import type { Session, State } from './state.ts';

interface SessionContext {
  state: State;
  /** What comes next (in with `begin`, or something else first) is the caller's business. */
  signIn(email: string, password: string): Promise<SignIn>;
  /** With the token that another way of signing in has given. */
  begin(token: string): void;
  signOut(): Promise<void>;
  /** A session in somebody else's name, in this tab only; `leaveEntered` goes back to one's own. */
  enterAs(access_token: string): void;
  leaveEntered(): Promise<void>;
}

// Schemas are nothing that somebody who signs in should wait for: contracts come with the first call.
const ACCOUNT = 'accounts.get';
const loadAccount = () => import('@parley/contract/accounts/accounts.ts').then(({ getAccount }) => getAccount);
const loadUser = () => import('@parley/contract/accounts/accounts.ts').then(({ getUser }) => getUser);

/** A server that is away is asked again this often. */
const AWAY_RETRY_MS = 3_000;

const Context = createContext<SessionContext | null>(null);

export const isAdminHost = (host: string = window.location.hostname): boolean => /^admin[.-]/.test(host);

/** `session_id`: the key to somebody's account that the address brought along. */
export function SessionProvider({ session_id = null, children }: { session_id?: string | null; children: ReactNode }) {
  const [token, setToken] = useState(() => (session_id ? null : readToken()));
  const [entry, setEntry] = useState<'none' | 'under way' | 'limited'>(session_id ? 'under way' : 'none');
  const [notice, setNotice] = useState<string | null>(null);
  const [live, setLive] = useState<LiveState>('connecting');
  const signedIn = token !== null;
  const account = useLaterEndpoint(ACCOUNT, loadAccount, { enabled: signedIn, staleTime: 300_000 });
  const user = useLaterEndpoint('users.get', loadUser, { enabled: signedIn, staleTime: 300_000 });

  const leave = useCallback((words: string | null, remember: boolean) => {
    // What was entered ends by itself; one's own session is another matter.
    if (isEntered()) clearEnteredToken();
    else {
      if (remember) rememberLocation();
      clearToken();
    }
    queryClient.clear();
    setNotice(words);
    setToken(readToken());
  }, []);

  const enterAs = useCallback((access_token: string) => {
    writeEnteredToken(access_token);
    queryClient.clear();
    setNotice(null);
    setToken(access_token);
  }, []);

  // A key that is no good signs this tab out and touches no other: a link from outside must not be able to end a session.
  useEffect(() => {
    if (!session_id) return;
    let gone = false;
    void exchange(session_id).then((result) => {
      if (gone) return;
      if (result.kind === 'entered') enterAs(result.access_token);
      else if (result.kind === 'refused') {
        signOutHere();
        toast.error(ENTRY_REFUSED, { id: 'entry' });
      }
      setEntry(result.kind === 'limited' ? 'limited' : 'none');
    });
    return () => {
      gone = true;
    };
  }, [session_id, enterAs]);

  useEffect(
    () =>
      onAnnouncement((announcement) => {
        if (announcement.kind === 'signed_out') {
          if (isEntered()) toast.error(ENTRY_REFUSED, { id: 'entry' });
          leave(null, true);
        } else if (announcement.kind === 'blocked') {
          const words = `Your user is temporarily blocked, please contact the support address at ${window.location.host} for more information.`;
          if (isEntered()) toast.error(words, { id: 'entry' });
          leave(isEntered() ? null : words, false);
        }
        // While starting it is a page instead.
        else if (!readToken() || queryClient.getQueryData(['accounts', ACCOUNT, {}])) {
          const exported = announcement.error.name === 'EXPORT_LIMIT_REACHED';
          toast.warning(exported ? 'The limit for the requests exceeded the allowed count' : 'Too many requests', {
            id: 'too-many',
          });
        }
      }),
    [leave],
  );

  // Signed in or out in another tab. Under a renewed token the same session goes on, and what is known of it stays.
  useEffect(
    () =>
      onTokenChange(() => {
        const now = readToken();
        const goesOn = token !== null && now !== null && wasRenewed(now);
        if (now !== token && !goesOn) queryClient.clear();
        setToken(now);
      }),
    [token],
  );

  useEffect(() => {
    if (!token) return;
    const leaving = new AbortController();
    // Nobody needs the stream before there is a session, so its code is not part of the sign-in page.
    const parts = Promise.all([import('../live/live.ts'), import('@parley/contract/accounts/accounts.ts')]);
    void parts.then(([{ connectLive, onLive }, { sessionChanged, forceLogout }]) => {
      if (leaving.signal.aborted) return;
      const connection = connectLive(queryClient, { onState: setLive });
      const off = [
        onLive(sessionChanged, () => void queryClient.invalidateQueries()),
        // Whether it was this session that ended is answered by the next call: a 401 leads out.
        onLive(forceLogout, () => void queryClient.invalidateQueries({ queryKey: ['users'] })),
      ];
      leaving.signal.addEventListener('abort', () => {
        connection.stop();
        for (const stop of off) stop();
      });
    });
    return () => leaving.abort();
  }, [token]);

  const state = useMemo<State>(() => {
    if (entry === 'limited') return { kind: 'limited' };
    if (entry === 'under way') return { kind: 'unknown' };
    if (!token) return { kind: 'out', notice };
    const failed = account.error ?? user.error;
    // Only while starting: of somebody who is inside a later 429 is told in passing.
    if (!account.data || !user.data)
      return { kind: failed instanceof ApiError && failed.status === 429 ? 'limited' : 'unknown' };
    const [company, person] = [account.data.data, user.data.data];
    const admin = company.operator && isAdminHost();
    // Until what is pending is done, every call that needs a permission is refused: nothing may ask for it.
    const permissions = person.pending ? {} : person.permissions;
    return { kind: 'in', session: { account: company, user: person, permissions, admin, live } };
  }, [entry, token, notice, account.data, account.error, user.data, user.error, live]);

  // What else goes wrong while starting leads back to sign-in, with the place remembered; a server that is away is waited for.
  const fatal = [account.error, user.error].find(
    (error) =>
      // What was announced has been acted on, for the session it was about.
      error instanceof ApiError &&
      !error.announced &&
      error.status >= 400 &&
      error.status !== 429 &&
      error.status < 500,
  );
  useEffect(() => {
    if (fatal) leave(null, true);
  }, [fatal, leave]);

  const away = [account, user].some(
    ({ error }) => error instanceof ApiError && (error.status === 0 || error.status >= 500),
  );
  const { refetch: askAccount } = account;
  const { refetch: askUser } = user;
  useEffect(() => {
    if (!away) return;
    const timer = setInterval(() => void Promise.all([askAccount(), askUser()]), AWAY_RETRY_MS);
    return () => clearInterval(timer);
  }, [away, askAccount, askUser]);

  const begin = useCallback((found: string) => {
    writeToken(found);
    landHere();
    queryClient.clear();
    const kept = readToken();
    setToken(kept);
    setNotice(kept ? null : 'You cannot sign in inside of another page. Open Parley in a window of its own.');
  }, []);

  const context = useMemo<SessionContext>(
    () => ({
      state,
      begin,
      async signIn(email, password) {
        const { signIn } = await import('@parley/contract/auth/auth.ts');
        return (await callWithBasic(signIn, email, password)).data;
      },
      async signOut() {
        // Left before the server says so: its event would have every page of ours ask once more, with a token that is no longer good.
        const headers = { authorization: `Bearer ${readToken()}` };
        leave(null, true);
        await import('@parley/contract/auth/auth.ts')
          .then(({ signOut }) => call(signOut, {}, { headers }))
          .catch(() => {});
      },
      enterAs,
      async leaveEntered() {
        const headers = { authorization: `Bearer ${readToken()}` };
        leave(null, false);
        const { endImpersonation } = await import('@parley/contract/admin/customers.ts');
        // It arrives also when the tab goes away meanwhile.
        await call(endImpersonation, {}, { headers, keepalive: true }).catch(() => {});
      },
    }),
    [state, begin, enterAs, leave],
  );
  const zone = state.kind === 'in' ? state.session.account.timezone : 'UTC';
  return (
    <Context value={context}>
      <ZoneProvider value={zone}>{children}</ZoneProvider>
    </Context>
  );
}

export function useSessionContext(): SessionContext {
  const context = useContext(Context);
  if (!context) throw new Error('outside of SessionProvider');
  return context;
}

/** For pages behind sign-in: there is a session. */
export function useSession(): Session {
  const { state } = useSessionContext();
  if (state.kind !== 'in') throw new Error('no session');
  return state.session;
}

/** An endpoint, or what it needs. */
export type Requirement = Needs | 'public' | Pick<AnyEndpoint, 'needs' | 'audience'> | null | undefined;

/** Null when allowed; otherwise the reason to show. Given the endpoint it also knows what is only for the person themselves. */
export function useReason(asked: Requirement): string | null {
  const { state } = useSessionContext();
  if (state.kind !== 'in' || !asked) return null;
  const endpoint = typeof asked === 'object' && 'needs' in asked ? asked : null;
  const needs = endpoint ? endpoint.needs : (asked as Needs | 'public');
  if (needs && needs !== 'public' && !permits(state.session.permissions, needs))
    return pendingReason(state.session) ?? needReason(needs);
  return endpoint?.audience === 'person' ? personReason(state.session) : null;
}
