/**
 * Who is signed in. One of four states: unknown (a loader), out, in, and `limited` (the request limit hit while starting). What a call says about
 * the session (401, blocked, too many) arrives here as an announcement; nobody else reacts to it.
 */
import { type Account, getAccount, getUser, sessionChanged, type User } from '@parley/contract/accounts.ts';
import { signIn, signOut } from '@parley/contract/auth.ts';
import { type Needs, needReason, type Permissions, permits } from '@parley/contract/permission.ts';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react';
import { toast } from '../ui/Toasts.tsx';
import { ZoneProvider } from '../ui/zone.ts';
import { ApiError, call, callWithBasic, onAnnouncement } from './client.ts';
import type { LiveState } from './live.ts';
import { queryClient, useEndpoint } from './query.ts';
import { clearToken, onTokenChange, readToken, rememberLocation, takeLocation, writeToken } from './token.ts';

export interface Session {
  account: Account;
  user: User;
  permissions: Permissions;
  /** This page is the operators' view: by host name, and only for operators. */
  admin: boolean;
  live: LiveState;
}

export type State =
  | { kind: 'unknown' }
  | { kind: 'out'; notice: string | null }
  | { kind: 'limited' }
  | { kind: 'in'; session: Session };

interface SessionContext {
  state: State;
  signIn(email: string, password: string): Promise<string | null>;
  signOut(): Promise<void>;
}

/** A server that is away is asked again this often. */
const AWAY_RETRY_MS = 3_000;

const Context = createContext<SessionContext | null>(null);

export const isAdminHost = (host: string = window.location.hostname): boolean => /^admin[.-]/.test(host);

export function SessionProvider({ children }: { children: ReactNode }) {
  const [token, setToken] = useState(readToken);
  const [notice, setNotice] = useState<string | null>(null);
  const [live, setLive] = useState<LiveState>('connecting');
  const signedIn = token !== null;
  const account = useEndpoint(getAccount, {}, { enabled: signedIn, staleTime: 300_000 });
  const user = useEndpoint(getUser, {}, { enabled: signedIn, staleTime: 300_000 });

  const leave = useCallback((words: string | null, remember: boolean) => {
    if (remember) rememberLocation();
    clearToken();
    queryClient.clear();
    setNotice(words);
    setToken(null);
  }, []);

  useEffect(
    () =>
      onAnnouncement((announcement) => {
        if (announcement.kind === 'signed_out') leave(null, true);
        else if (announcement.kind === 'blocked')
          leave(
            `Your user is temporarily blocked, please contact the support address at ${window.location.host} for more information.`,
            false,
          );
        else if (readToken() && queryClient.getQueryData(['accounts', getAccount.id, {}])) {
          const exported = announcement.error.code === 1903;
          toast.warning(exported ? 'The limit for the requests exceeded the allowed count' : 'Too many requests', {
            id: 'too-many',
          });
        }
      }),
    [leave],
  );

  // Signed in or out in another tab.
  useEffect(
    () =>
      onTokenChange(() => {
        const now = readToken();
        if (now !== token) queryClient.clear();
        setToken(now);
      }),
    [token],
  );

  useEffect(() => {
    if (!token) return;
    const leaving = new AbortController();
    // Nobody needs the stream before there is a session, so its code is not part of the sign-in page.
    void import('./live.ts').then(({ connectLive, onLive }) => {
      if (leaving.signal.aborted) return;
      const connection = connectLive(queryClient, { onState: setLive });
      const off = onLive(sessionChanged, () => void queryClient.invalidateQueries());
      leaving.signal.addEventListener('abort', () => {
        connection.stop();
        off();
      });
    });
    return () => leaving.abort();
  }, [token]);

  const state = useMemo<State>(() => {
    if (!token) return { kind: 'out', notice };
    const failed = account.error ?? user.error;
    if (failed instanceof ApiError && failed.status === 429) return { kind: 'limited' };
    if (!account.data || !user.data) return { kind: 'unknown' };
    const [company, person] = [account.data.data, user.data.data];
    const admin = company.operator && isAdminHost();
    return { kind: 'in', session: { account: company, user: person, permissions: person.permissions, admin, live } };
  }, [token, notice, account.data, account.error, user.data, user.error, live]);

  // What else goes wrong while starting leads back to sign-in, with the place remembered; a server that is away is waited for.
  const fatal = [account.error, user.error].find(
    (error) => error instanceof ApiError && error.status >= 400 && error.status !== 429 && error.status < 500,
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

  const context = useMemo<SessionContext>(
    () => ({
      state,
      async signIn(email, password) {
        const { data } = await callWithBasic(signIn, email, password);
        if (!data.access_token) throw new Error(`sign-in goes on with ${data.next}`);
        writeToken(data.access_token);
        queryClient.clear();
        setNotice(null);
        setToken(data.access_token);
        return takeLocation();
      },
      async signOut() {
        // Left before the server says so: its event would have every page of ours ask once more, with a token that is no longer good.
        const ended = call(signOut).catch(() => {});
        leave(null, false);
        await ended;
      },
    }),
    [state, leave],
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

/** Null when allowed; otherwise the reason to show. */
export function useReason(needs: Needs | null | undefined): string | null {
  const { state } = useSessionContext();
  if (state.kind !== 'in' || !needs) return null;
  return permits(state.session.permissions, needs) ? null : needReason(needs);
}
