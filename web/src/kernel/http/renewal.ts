/**
 * A changed password gives the session another token. Tabs of the same session ask with the old one for a moment: what is refused meanwhile waits for
 * the new one and is asked once more, so that nobody is signed out by changing their password.
 */
import { readToken, renewToken, wasRenewed } from './token.ts';

const KEY = 'parley.renewing';
/** A tab that went away in the middle of it holds up the others no longer than a call can take. */
const LONGEST_MS = 30_000;
const LOOK_EVERY_MS = 50;

/** Around the call that brings the new token. */
export async function renewing<T>(change: () => Promise<T>, tokenIn: (answer: T) => string): Promise<T> {
  localStorage.setItem(KEY, String(Date.now()));
  try {
    const answer = await change();
    renewToken(tokenIn(answer));
    return answer;
  } finally {
    localStorage.removeItem(KEY);
  }
}

function isUnderWay(): boolean {
  const since = Number(localStorage.getItem(KEY));
  return since > 0 && Date.now() - since < LONGEST_MS;
}

/** True: another token has taken the place of the one that was refused. False: it is refused for good. */
export async function isRenewed(refused: string): Promise<boolean> {
  while (readToken() === refused && isUnderWay()) await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  const now = readToken();
  return now !== null && now !== refused && wasRenewed(now);
}
