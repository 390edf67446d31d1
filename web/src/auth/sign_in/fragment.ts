/**
 * The token or error that a sign-in provider returns in the fragment of the URL. It is removed from the URL before
 * other code can read or store it.
 */
interface Fragment {
  token: string | null;
  error: string | null;
}

let current: Fragment | null = null;

/** Moves the fragment out of the URL. Called before the router reads the URL. */
export function takeFragment(): void {
  const { hash, pathname, search } = window.location;
  if (!hash.includes('social_')) return;
  const parts = new URLSearchParams(hash.slice(1));
  const [token, error] = [parts.get('social_token'), parts.get('social_error')];
  if (!token && !error) return;
  current = { token, error };
  window.history.replaceState(window.history.state, '', pathname + search);
}

export const readFragment = (): Fragment | null => current;
/** Stores a token for the page that re-authenticates the user first. */
export const storeFragment = (token: string): void => {
  current = { token, error: null };
};
export const clearFragment = (): void => {
  current = null;
};
