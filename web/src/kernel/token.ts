/** Where the session's token lies. Another tab that signs in or out is heard through the storage event. */
const KEY = 'parley.token';
const RETURN_KEY = 'parley.return';
const RETURN_HOURS = 24;

export const readToken = (): string | null => {
  // Inside a frame one stays signed out: a page around us must not act in our name.
  if (window.top !== window.self) return null;
  return localStorage.getItem(KEY);
};
export const writeToken = (token: string): void => localStorage.setItem(KEY, token);
export const clearToken = (): void => localStorage.removeItem(KEY);

/** Called when another tab signed in or out. */
export function onTokenChange(listener: () => void): () => void {
  const heard = (event: StorageEvent) => {
    if (event.key === KEY || event.key === null) listener();
  };
  window.addEventListener('storage', heard);
  return () => window.removeEventListener('storage', heard);
}

/** A path of ours and nothing else: never another origin, never a protocol. */
export function safePath(text: string | null | undefined): string | null {
  if (!text?.startsWith('/') || text.startsWith('//') || text.startsWith('/\\')) return null;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  if (/[\u0000-\u001f]/.test(text)) return null;
  try {
    const url = new URL(text, window.location.origin);
    return url.origin === window.location.origin ? url.pathname + url.search + url.hash : null;
  } catch {
    return null;
  }
}

const NOT_RETURNED_TO =
  /^\/(sign-in|login|sign-up|register|logout|expired|forgot-password|reset-password|email-verification|phone-verification)(\/|$)/;

export function rememberLocation(): void {
  const path = window.location.pathname + window.location.search;
  if (path === '/' || NOT_RETURNED_TO.test(path)) return;
  localStorage.setItem(RETURN_KEY, JSON.stringify({ path, until: Date.now() + RETURN_HOURS * 3_600_000 }));
}

/** The remembered location, once. */
export function takeLocation(): string | null {
  const text = localStorage.getItem(RETURN_KEY);
  localStorage.removeItem(RETURN_KEY);
  if (!text) return null;
  try {
    const { path, until } = JSON.parse(text) as { path?: string; until?: number };
    return until && until > Date.now() ? safePath(path) : null;
  } catch {
    return null;
  }
}
