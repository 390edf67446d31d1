/** What a sign-in provider sends back stands behind the # of the address. It is taken out before anything else can read or keep the address. */
export interface Fragment {
  token: string | null;
  error: string | null;
}

let found: Fragment | null = null;

/** To be called before the router reads the address. */
export function takeFragment(): void {
  const { hash, pathname, search } = window.location;
  if (!hash.includes('social_')) return;
  const parts = new URLSearchParams(hash.slice(1));
  const [token, error] = [parts.get('social_token'), parts.get('social_error')];
  if (!token && !error) return;
  found = { token, error };
  window.history.replaceState(window.history.state, '', pathname + search);
}

export const readFragment = (): Fragment | null => found;
/** For the page that asks for a proof first. */
export const storeFragment = (token: string): void => {
  found = { token, error: null };
};
export const clearFragment = (): void => {
  found = null;
};
