/**
 * Stores the session's token. The storage event reports sign-ins and sign-outs in other tabs. The token of an
 * impersonated session is stored only in its own tab, where it takes precedence.
 */
const KEY = 'parley.token';
const IMPERSONATION_KEY = 'parley.entered';
/** Set when only this tab is signed out. */
/** Stores the current token if it replaced an earlier token of the same session. */
const RENEWED_KEY = 'parley.renewed';
const RETURN_KEY = 'parley.return';
const RETURN_HOURS = 24;

/** Inside a frame, the app stays signed out, so that the embedding page cannot act for the user. */
export const isFramed = (): boolean => window.top !== window.self;
export function readToken(): string | null {
  if (isFramed()) return null;
  return sessionStorage.getItem(IMPERSONATION_KEY) ?? localStorage.getItem(KEY);
}
export function writeToken(token: string): void {
  if (isFramed()) return;
  localStorage.removeItem(RENEWED_KEY);
  localStorage.setItem(KEY, token);
}
/** Replaces the current session's token. The renewal is stored first, because the token's listeners read it. */
export function renewToken(token: string): void {
  localStorage.setItem(RENEWED_KEY, token);
  localStorage.setItem(KEY, token);
  for (const listener of listeners) listener();
}
export const wasRenewed = (token: string): boolean => localStorage.getItem(RENEWED_KEY) === token;
export function clearToken(): void {
  localStorage.removeItem(RENEWED_KEY);
  localStorage.removeItem(KEY);
}

export const isImpersonating = (): boolean => sessionStorage.getItem(IMPERSONATION_KEY) !== null;
export const writeImpersonationToken = (token: string): void => sessionStorage.setItem(IMPERSONATION_KEY, token);
export const clearImpersonationToken = (): void => sessionStorage.removeItem(IMPERSONATION_KEY);

const listeners = new Set<() => void>();
/** Calls the listener when another tab signs in or out, and when any tab renews the token. */
export function onTokenChange(listener: () => void): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key === KEY || event.key === null) listener();
  };
  listeners.add(listener);
  window.addEventListener('storage', onStorage);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', onStorage);
  };
}

/** Returns the text if it is a path within the app; null for another origin, a protocol, or anything else. */
export function safePath(text: string | null | undefined): string | null {
  if (!text?.startsWith('/') || text.startsWith('//') || text.startsWith('/\\')) return null;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it matches what is rejected
  if (/[\u0000-\u001f]/.test(text)) return null;
  try {
    const url = new URL(text, window.location.origin);
    return url.origin === window.location.origin ? url.pathname + url.search + url.hash : null;
  } catch {
    return null;
  }
}

/** Sign-in pages, to which the user never returns after sign-in. */
const NO_RETURN = [
  'sign-in',
  'login',
  'sign-up',
  'register',
  'logout',
  'expired',
  'forgot-password',
  'reset-password',
  'email-verification',
  'phone-verification',
  'invitations',
];

/** True for pages to which the user returns after sign-in. */
export const isReturnPath = (path: string): boolean => path !== '/' && !NO_RETURN.includes(path.split(/[/?]/)[1] ?? '');

export function rememberLocation(): void {
  const path = window.location.pathname + window.location.search;
  if (!isReturnPath(path)) return;
  localStorage.setItem(RETURN_KEY, JSON.stringify({ path, until: Date.now() + RETURN_HOURS * 3_600_000 }));
}

/** Returns the remembered location and forgets it. */
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
/** Called at sign-in. The remembered location becomes the landing page until the next reload. */
export function setLandingPath(): void {
  landing = takeLocation();
}
export const landingPath = (): string | null => landing;
