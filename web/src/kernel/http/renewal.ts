/**
 * Changing the password gives the session a new token. Other tabs still send the old one for a moment. Their rejected
 * requests wait for the new token and are then retried, so that a password change does not sign out any tab.
 */
import { readToken, renewToken, wasRenewed } from './token.ts';

const KEY = 'parley.renewing';
/** If the renewing tab is closed, the other tabs stop waiting after the maximum duration of a call. */
const TIMEOUT_MS = 30_000;
const POLL_MS = 50;

/** Wraps the call that returns the new token. */
export async function renewing<T>(change: () => Promise<T>, readNewToken: (response: T) => string): Promise<T> {
  localStorage.setItem(KEY, String(Date.now()));
  try {
    const response = await change();
    renewToken(readNewToken(response));
    return response;
  } finally {
    localStorage.removeItem(KEY);
  }
}

function isPending(): boolean {
  const since = Number(localStorage.getItem(KEY));
  return since > 0 && Date.now() - since < TIMEOUT_MS;
}

/** True when a new token has replaced the rejected one; false when the rejection is final. */
export async function isRenewed(rejected: string): Promise<boolean> {
  while (readToken() === rejected && isPending()) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  const current = readToken();
  return current !== null && current !== rejected && wasRenewed(current);
}
