/** The parts of SessionProvider that react to external events: the API, other tabs, the URL, and the live stream. */

import type { AccountInfo } from '@parley/contract/accounts/accounts.ts';
import { type Dispatch, type SetStateAction, useEffect, useLayoutEffect, useState } from 'react';
import { showBrand } from '../../ui/brand.ts';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { ApiError, onAnnouncement } from '../http/client.ts';
import { exchangeSessionId, INVALID_SESSION } from '../http/entry.ts';
import { queryClient, useLaterEndpoint } from '../http/query.ts';
import { isImpersonating, onTokenChange, readToken, wasRenewed } from '../http/token.ts';
import type { LiveState } from '../live/live.ts';

// The sign-in page does not load any schemas. Contracts are loaded with the first call.
const ACCOUNT = 'accounts.get';
const loadAccount = () => import('@parley/contract/accounts/accounts.ts').then(({ getAccount }) => getAccount);
const loadUser = () => import('@parley/contract/accounts/accounts.ts').then(({ getUser }) => getUser);

/** The interval between startup attempts while the server is unavailable. */
const RETRY_MS = 3_000;

/** Loads the session's account and user, and retries while the server is unavailable. */
export function useProfile(token: string | null) {
  const options = { enabled: token !== null, staleTime: 300_000 };
  const account = useLaterEndpoint(ACCOUNT, loadAccount, options);
  const user = useLaterEndpoint('users.get', loadUser, options);
  const isUnavailable = [account, user].some(
    ({ error }) => error instanceof ApiError && (error.status === 0 || error.status >= 500),
  );
  const { refetch: refetchAccount } = account;
  const { refetch: refetchUser } = user;
  useEffect(() => {
    if (!isUnavailable) return;
    const timer = setInterval(() => void Promise.all([refetchAccount(), refetchUser()]), RETRY_MS);
    return () => clearInterval(timer);
  }, [isUnavailable, refetchAccount, refetchUser]);
  return { account, user };
}

export type Profile = ReturnType<typeof useProfile>;

export type Entry = 'none' | 'pending' | 'limited';

/**
 * Exchanges the key from the URL for an impersonated session. If the key is invalid, the tab continues with its own
 * session, because an external link must not sign anyone out.
 */
export function useEntry(
  session_id: string | null,
  startImpersonation: (access_token: string) => void,
  keepOwnSession: () => void,
): Entry {
  const [entry, setEntry] = useState<Entry>(session_id ? 'pending' : 'none');
  useEffect(() => {
    if (!session_id) return;
    let isUnmounted = false;
    void exchangeSessionId(session_id).then((result) => {
      if (isUnmounted) return;
      if (result.kind === 'entered') startImpersonation(result.access_token);
      else if (result.kind === 'rejected') {
        keepOwnSession();
        toast.error(INVALID_SESSION, { id: 'entry' });
      }
      setEntry(result.kind === 'limited' ? 'limited' : 'none');
    });
    return () => {
      isUnmounted = true;
    };
  }, [session_id, startImpersonation, keepOwnSession]);
  return entry;
}

/**
 * Ends this tab's session. The sign-in page shows `notice`; with `remember`, the user returns to the current page after
 * sign-in.
 */
export type Leave = (notice: string | null, remember: boolean) => void;

/** Handles the errors that any call may report: signed out, blocked, too many requests. */
export function useAnnouncements(leave: Leave): void {
  useEffect(
    () =>
      onAnnouncement((announcement) => {
        if (announcement.kind === 'signed_out') {
          if (isImpersonating()) toast.error(INVALID_SESSION, { id: 'entry' });
          leave(null, true);
        } else if (announcement.kind === 'blocked') {
          const words =
            'Your user is temporarily blocked, please contact the support address at ' +
            `${window.location.host} for more information.`;
          if (isImpersonating()) toast.error(words, { id: 'entry' });
          leave(isImpersonating() ? null : words, false);
        }
        // During startup, the rate limit has its own page.
        else if (!readToken() || queryClient.getQueryData(['accounts', ACCOUNT, {}])) {
          const isExport = announcement.error.name === 'EXPORT_LIMIT_REACHED';
          toast.warning(isExport ? 'The limit for the requests exceeded the allowed count' : 'Too many requests', {
            id: 'too-many',
          });
        }
      }),
    [leave],
  );
}

/** Follows sign-ins and sign-outs in other tabs. A renewed token continues the same session and keeps its data. */
export function useOtherTabs(token: string | null, setToken: Dispatch<SetStateAction<string | null>>): void {
  useEffect(
    () =>
      onTokenChange(() => {
        const next = readToken();
        const isSameSession = token !== null && next !== null && wasRenewed(next);
        if (next !== token && !isSameSession) queryClient.clear();
        setToken(next);
      }),
    [token, setToken],
  );
}

/** Shows the account's brand, and after sign-out, that of the page. */
export function useSessionBrand(token: string | null, brand: AccountInfo['brand'] | undefined): void {
  useLayoutEffect(() => {
    if (token === null) showBrand(null);
    else if (brand) showBrand(brand);
  }, [token, brand]);
}

/** Keeps the session's live stream open and returns its state. */
export function useLiveStream(token: string | null): LiveState {
  const [live, setLive] = useState<LiveState>('connecting');
  useEffect(() => {
    if (!token) return;
    const leaving = new AbortController();
    // The sign-in page needs no stream, so its code is loaded together with the session.
    const modules = Promise.all([import('../live/live.ts'), import('@parley/contract/accounts/accounts.ts')]);
    void modules.then(([{ connectLive, onLive }, { sessionChanged, forceLogout }]) => {
      if (leaving.signal.aborted) return;
      const connection = connectLive(queryClient, { onState: setLive });
      const stopListening = [
        onLive(sessionChanged, () => void queryClient.invalidateQueries()),
        // If this session is the one that ended, the next call returns 401 and signs out.
        onLive(forceLogout, () => void queryClient.invalidateQueries({ queryKey: ['users'] })),
      ];
      leaving.signal.addEventListener('abort', () => {
        connection.stop();
        for (const stop of stopListening) stop();
      });
    });
    return () => leaving.abort();
  }, [token]);
  return live;
}
