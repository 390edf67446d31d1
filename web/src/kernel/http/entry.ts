/**
 * Impersonation by link: the URL carries a single-use key. The key is removed from the URL before other code can read
 * it and is exchanged for a session in this tab.
 */
import { ApiError, call } from './client.ts';
import { isFramed } from './token.ts';

export const INVALID_SESSION = 'Session is no valid anymore';

type Entry = { kind: 'entered'; access_token: string } | { kind: 'rejected' } | { kind: 'limited' };

/**
 * Removes the key from the URL and returns it; call this before the router starts. Returns null if there is no key, or
 * inside a frame.
 */
export function takeSessionId(): string | null {
  const url = new URL(window.location.href);
  const session_id = url.searchParams.get('session_id');
  if (session_id === null) return null;
  url.searchParams.delete('session_id');
  window.history.replaceState(window.history.state, '', url.pathname + url.search + url.hash);
  return isFramed() ? null : session_id;
}

const exchanges = new Map<string, Promise<Entry>>();

/**
 * Exchanges each key only once, no matter how often the page renders, because the server would reject a second request.
 */
export function exchangeSessionId(session_id: string): Promise<Entry> {
  const pending = exchanges.get(session_id) ?? openSession(session_id);
  exchanges.set(session_id, pending);
  return pending;
}

async function openSession(id: string): Promise<Entry> {
  try {
    // Loaded on demand, because few users have a key.
    const { openAuthSession } = await import('@parley/contract/admin/customers.ts');
    const { data } = await call(openAuthSession, { params: { id } });
    return { kind: 'entered', access_token: data.access_token };
  } catch (error) {
    return { kind: error instanceof ApiError && error.status === 429 ? 'limited' : 'rejected' };
  }
}
