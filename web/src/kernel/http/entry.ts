/**
 * The way into somebody else's account: a key in the address that works once. It is taken out of the address before anything else can see it, and
 * exchanged for a session of this tab.
 */
import { ApiError, call } from './client.ts';
import { isFramed } from './token.ts';

export const ENTRY_REFUSED = 'Session is no valid anymore';

export type Entry = { kind: 'entered'; access_token: string } | { kind: 'refused' } | { kind: 'limited' };

/** To be called before the router reads the address. Null when there is none, or inside a frame. */
export function takeSessionId(): string | null {
  const url = new URL(window.location.href);
  const session_id = url.searchParams.get('session_id');
  if (session_id === null) return null;
  url.searchParams.delete('session_id');
  window.history.replaceState(window.history.state, '', url.pathname + url.search + url.hash);
  return isFramed() ? null : session_id;
}

const asked = new Map<string, Promise<Entry>>();

/** Asks once for each key, however often a page is drawn: the second answer would be no. */
export function exchange(session_id: string): Promise<Entry> {
  const under_way = asked.get(session_id) ?? ask(session_id);
  asked.set(session_id, under_way);
  return under_way;
}

async function ask(id: string): Promise<Entry> {
  try {
    // Loaded when it is needed: hardly anybody who signs in has such a key.
    const { openAuthSession } = await import('@parley/contract/admin/customers.ts');
    const { data } = await call(openAuthSession, { params: { id } });
    return { kind: 'entered', access_token: data.access_token };
  } catch (error) {
    return { kind: error instanceof ApiError && error.status === 429 ? 'limited' : 'refused' };
  }
}
