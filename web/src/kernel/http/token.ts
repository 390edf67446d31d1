/**
 * Where the session's token lies. Another tab that signs in or out is heard through the storage event. A session in somebody else's name lies apart,
 * in its tab alone, and goes before the main one while it is there.
 */
const KEY = 'parley.token';
const ENTERED_KEY = 'parley.entered';
/** This tab alone is signed out, whatever the others are. */
const AWAY_KEY = 'parley.signed_out_here';
/** The token, when it took the place of another one of the same session. */
const RENEWED_KEY = 'parley.renewed';
const RETURN_KEY = 'parley.return';
const RETURN_HOURS = 24;

/** Inside a frame one stays signed out: a page around us must not act in our name. */
export const isFramed = (): boolean => window.top !== window.self;
export function readToken(): string | null {
  if (isFramed()) return null;
  const entered = sessionStorage.getItem(ENTERED_KEY);
  if (entered !== null || sessionStorage.getItem(AWAY_KEY) !== null) return entered;
  return localStorage.getItem(KEY);
}
export function writeToken(token: string): void {
  if (isFramed()) return;
  sessionStorage.removeItem(AWAY_KEY);
  localStorage.removeItem(RENEWED_KEY);
  localStorage.setItem(KEY, token);
}
/** The session goes on under another token. Said first, so that whoever hears of the token knows. */
export function renewToken(token: string): void {
  localStorage.setItem(RENEWED_KEY, token);
  localStorage.setItem(KEY, token);
  for (const listener of listeners) listener();
}
export const wasRenewed = (token: string): boolean => localStorage.getItem(RENEWED_KEY) === token;
/** Until somebody signs in or enters here, a reload included. The session itself goes on in other tabs. */
export const signOutHere = (): void => sessionStorage.setItem(AWAY_KEY, '1');
export function clearToken(): void {
  localStorage.removeItem(RENEWED_KEY);
  localStorage.removeItem(KEY);
}

export const isEntered = (): boolean => sessionStorage.getItem(ENTERED_KEY) !== null;
export function writeEnteredToken(token: string): void {
  sessionStorage.removeItem(AWAY_KEY);
  sessionStorage.setItem(ENTERED_KEY, token);
}
export const clearEnteredToken = (): void => sessionStorage.removeItem(ENTERED_KEY);

const listeners = new Set<() => void>();
/** Called when another tab signed in or out, and when the token was renewed, in whatever tab. */
export function onTokenChange(listener: () => void): () => void {
  const heard = (event: StorageEvent) => {
    if (event.key === KEY || event.key === null) listener();
  };
  listeners.add(listener);
  window.addEventListener('storage', heard);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', heard);
  };
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
  /^\/(sign-in|login|sign-up|register|logout|expired|forgot-password|reset-password|email-verification|phone-verification|invitations)([/?]|$)/;

/** Worth coming back to after signing in. */
export const isReturnedTo = (path: string): boolean => path !== '/' && !NOT_RETURNED_TO.test(path);

export function rememberLocation(): void {
  const path = window.location.pathname + window.location.search;
  if (!isReturnedTo(path)) return;
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

let landing: string | null = null;
/** Somebody comes in: what was remembered is where they want to go, for as long as this page lives. */
export function landHere(): void {
  landing = takeLocation();
}
export const landingPath = (): string | null => landing;
